/**
 * The address under which a client reached the service, without a path: `https://records.example.org`.
 *
 * @param url of the request, its host that of the `Host` header.
 * @param headers of the request; with proxies in front, what the first of them says it was asked for
 *   (`X-Forwarded-Proto`, `X-Forwarded-Host`) counts.
 * @param trustProxy how many proxies are in front; with none, these headers are the client's own words.
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
