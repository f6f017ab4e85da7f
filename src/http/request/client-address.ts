import { isIP, SocketAddress } from 'node:net';
import { expandIPv6 } from 'hono/utils/ipaddr';

/**
 * Returns the client address in canonical form, for rate limits and logs: an IPv4 address, the /64 network of an IPv6
 * address (because a client usually has all addresses of such a network), or `unknown`.
 *
 * @param trustProxy the number of proxies that append to `X-Forwarded-For`. The N-th entry from the right is the
 *   address that the outermost proxy saw; the client can forge all entries before it. If it is not an address, the
 *   address of the socket is used.
 */
export function clientAddress(
  socketAddress: string | undefined,
  forwardedFor: string | undefined,
  trustProxy: number,
): string {
  const forwarded = trustProxy > 0 ? forwardedFor?.split(',').at(-trustProxy) : undefined;
  return canonicalAddress(forwarded) ?? canonicalAddress(socketAddress) ?? 'unknown';
}

/** Returns the network of a {@link clientAddress}: the /24 of an IPv4 address, the /48 of an IPv6 network. */
export function networkPrefix(address: string): string {
  if (isIP(address) === 4) return `${address.slice(0, address.lastIndexOf('.'))}.0/24`;
  return address.replace(/^((?:[^:]+:){3})[^:]+::\/64$/, '$1:/48');
}

/**
 * Whether a client is on the machine of the service: it connects from a loopback address, or from the very address at
 * which the service listens. All addresses in `X-Forwarded-For` must be loopback addresses, regardless of the number of
 * trusted proxies, because there may be a proxy on the machine although `TRUST_PROXY` is not set.
 */
export function isLocalClient(
  { remoteAddress, localAddress }: Readonly<Partial<Record<'remoteAddress' | 'localAddress', string | undefined>>>,
  forwardedFor: string | undefined,
): boolean {
  const isSameAddress = remoteAddress !== undefined && remoteAddress === localAddress;
  const addresses = [...(isSameAddress ? [] : [remoteAddress]), ...(forwardedFor?.split(',') ?? [])];
  return addresses.every((address) => isLoopbackAddress(canonicalAddress(address)));
}

function isLoopbackAddress(address: string | undefined): boolean {
  return address !== undefined && (/^127(\.\d{1,3}){3}$/.test(address) || address === networkOf('::1'));
}

/** Forms that some proxies send: `192.0.2.1:4711`, `[2001:db8::1]`, `[2001:db8::1]:4711`. */
const WITH_PORT = /^(?:\[([^\]]+)\]|([^:]+))(?::\d{1,5})?$/;

function canonicalAddress(text: string | undefined): string | undefined {
  const trimmed = text?.trim() ?? '';
  const [, bracketed, plain] = WITH_PORT.exec(trimmed) ?? [];
  const address = bracketed ?? plain ?? trimmed;
  const version = isIP(address);
  if (version === 4) return address;
  return version === 6 ? networkOf(address) : undefined;
}

/** The first 64 bits of an IPv6 address; the IPv4 address of an IPv4-mapped one. */
function networkOf(address: string): string {
  const canonical = new SocketAddress({ address, family: 'ipv6' }).address;
  const mapped = /^::ffff:([\d.]+)$/.exec(canonical)?.[1];
  if (mapped !== undefined) return mapped;
  const groups = expandIPv6(canonical).split(':').slice(0, 4);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}
