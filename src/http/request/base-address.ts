/**
 * Returns the address under which a client reached the service, without a path: `https://records.example.org`. Behind
 * proxies, it is taken from `X-Forwarded-Proto` and `X-Forwarded-Host`.
 *
 * @param trustProxy the number of proxies; with none, the forwarded headers are ignored, because the client sets them.
 */
export function baseAddress(url: string, headers: Headers, trustProxy: number): string {
  const { origin, protocol, host } = new URL(url);
  if (trustProxy === 0) return origin;
  const scheme = first(headers.get('x-forwarded-proto')) ?? protocol.slice(0, -1);
  const forwarded = `${scheme}://${first(headers.get('x-forwarded-host')) ?? host}`;
  return /^https?:/.test(forwarded) && URL.canParse(forwarded) ? new URL(forwarded).origin : origin;
}

function first(header: string | null): string | undefined {
  return header?.split(',')[0]?.trim() || undefined;
}
