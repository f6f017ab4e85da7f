import { isIP, SocketAddress } from 'node:net';

/**
 * What a request is counted by when it has no valid key, and a sign-in: an IPv4 address, or the /64 of an IPv6 address,
 * because whoever has one address of it has all of them. The same in every spelling.
 *
 * @param trustProxy how many proxies append to `X-Forwarded-For`: the N-th entry from the right is what
 *   the outermost of them saw. Entries further left are the client's own words. What is no address counts
 *   as the socket's.
 */
export function clientAddress(
  socketAddress: string | undefined,
  forwardedFor: string | undefined,
  trustProxy: number,
): string {
  const forwarded = trustProxy > 0 ? forwardedFor?.split(',').at(-trustProxy) : undefined;
  return budgetOf(forwarded) ?? budgetOf(socketAddress) ?? 'unknown';
}

/**
 * The network that an address belongs to, which one party often has whole: the /24 of an IPv4 address, the /48 of an IPv6
 * network.
 *
 * @param address as {@link clientAddress} gives it.
 */
export function networkPrefix(address: string): string {
  if (isIP(address) === 4) return `${address.slice(0, address.lastIndexOf('.'))}.0/24`;
  return address.replace(/^((?:[^:]+:){3})[^:]+::\/64$/, '$1:/48');
}

/** `192.0.2.1:4711`, `[2001:db8::1]`, `[2001:db8::1]:4711`: what some proxies write. */
const WITH_PORT = /^(?:\[([^\]]+)\]|([^:]+))(?::\d{1,5})?$/;

function budgetOf(written: string | undefined): string | undefined {
  const trimmed = written?.trim() ?? '';
  const [, bracketed, plain] = WITH_PORT.exec(trimmed) ?? [];
  const address = bracketed ?? plain ?? trimmed;
  const version = isIP(address);
  if (version === 4) return address;
  return version === 6 ? networkOf(address) : undefined;
}

/** Of an IPv6 address its first 64 bits; of an IPv4 address in the form of one, that address. */
function networkOf(address: string): string {
  const canonical = new SocketAddress({ address, family: 'ipv6' }).address;
  const mapped = /^::ffff:([\d.]+)$/.exec(canonical)?.[1];
  if (mapped !== undefined) return mapped;
  const [before = '', after] = canonical.split('::');
  const groups = before === '' ? [] : before.split(':');
  // An embedded IPv4 address at the end stands for two groups.
  const last = after ? after.split(':').flatMap((group) => (group.includes('.') ? [group, ''] : [group])) : [];
  const zeros = after === undefined ? [] : Array<string>(8 - groups.length - last.length).fill('0');
  return `${[...groups, ...zeros, ...last].slice(0, 4).join(':')}::/64`;
}
