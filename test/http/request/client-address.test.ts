import { expect, it } from 'vitest';
import { clientAddress, isLocalClient, networkPrefix } from '../../../src/http/request/client-address.ts';

it.each([
  ['the socket address without trusted proxies', '10.0.0.1', '1.1.1.1, 2.2.2.2', 0, '10.0.0.1'],
  ['the socket address without a forwarded address', '10.0.0.1', undefined, 1, '10.0.0.1'],
  ['the address added by one proxy, not the one sent by the client', '10.0.0.1', '6.6.6.6, 1.1.1.1', 1, '1.1.1.1'],
  ['the address added by the outer of two proxies', '10.0.0.1', '6.6.6.6, 1.1.1.1, 10.0.0.2', 2, '1.1.1.1'],
  ['the socket address if fewer addresses were added than proxies are trusted', '10.0.0.1', '1.1.1.1', 2, '10.0.0.1'],
  ['the /64 of the socket’s IPv6 address', '2001:db8::1', undefined, 0, '2001:db8:0:0::/64'],
  ['the IPv4 address of an IPv4-mapped IPv6 socket address', '::ffff:192.0.2.1', undefined, 0, '192.0.2.1'],
  ['unknown without any address', undefined, undefined, 1, 'unknown'],
])('is %s', (_, socket, forwarded, trustProxy, address) => {
  expect(clientAddress(socket, forwarded, trustProxy)).toBe(address);
});

it.each([
  ['192.0.2.1:65535', '192.0.2.1'],
  ['[::ffff:192.0.2.1]:443', '192.0.2.1'],
  ['0:0:0:0:0:ffff:c000:0201', '192.0.2.1'],
  ['2001:DB8:1:2::1', '2001:db8:1:2::/64'],
  ['2001:0db8:0001:0002:0000:0000:0000:0001', '2001:db8:1:2::/64'],
  ['2001:db8:1:2:a:b:192.0.2.1', '2001:db8:1:2::/64'],
  ['[2001:db8:1:2::1]:443', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::1%eth0', '2001:db8:1:2::/64'],
  ['::1', '0:0:0:0::/64'],
  ['2001:db8::2:0:0:0:1', '2001:db8:0:2::/64'],
  ['unknown', '10.0.0.1'],
  ['"[2001:db8::1]"', '10.0.0.1'],
  ['192.0.2.256', '10.0.0.1'],
  ['010.0.0.1', '10.0.0.1'],
  ['192.0.2.1:123456', '10.0.0.1'],
  ['2001:db8::1]', '10.0.0.1'],
  ['2001:db8::1::2', '10.0.0.1'],
  ['1:2:3:4:5:6:7:8:9', '10.0.0.1'],
  [':'.repeat(10_000), '10.0.0.1'],
])('behind a proxy at 10.0.0.1, %s is counted as %s', (header, address) => {
  expect(clientAddress('10.0.0.1', header, 1)).toBe(address);
});

it.each([
  ['192.0.2.1', '192.0.2.0/24'],
  ['2001:db8:1:2::/64', '2001:db8:1::/48'],
  ['unknown', 'unknown'],
])('the network of %s is %s', (address, prefix) => {
  expect(networkPrefix(address)).toBe(prefix);
});

it.each([
  [true, 'a browser on the same machine', '127.0.0.1', undefined],
  [true, 'an IPv4-mapped loopback address', '::ffff:127.0.0.1', undefined],
  [true, 'a local client behind a local proxy', '::1', '127.0.0.1'],
  [false, 'a remote client behind a local proxy', '127.0.0.1', '192.0.2.1'],
  [false, 'a remote client that sends a loopback address', '127.0.0.1', '127.0.0.1, 192.0.2.1'],
  [false, 'a remote client that sends one without a proxy', '192.0.2.1', '127.0.0.1'],
  [false, 'a client whose proxy adds no address', '127.0.0.1', 'unknown'],
  [false, 'a closed connection', undefined, undefined],
])('is a local client: %s for %s', (isLocal, _, remoteAddress, forwarded) => {
  expect(isLocalClient({ remoteAddress, localAddress: '127.0.0.1' }, forwarded)).toBe(isLocal);
});

it.each([
  [true, 'a browser on the same machine', '192.0.2.7', undefined],
  [true, 'a browser on the same machine behind a local proxy', '192.0.2.7', '127.0.0.1'],
  [false, 'a remote client behind a local proxy', '192.0.2.7', '198.51.100.1'],
  [false, 'a remote client', '192.0.2.8', undefined],
])('is a local client of a service at 192.0.2.7: %s for %s', (isLocal, _, remoteAddress, forwarded) => {
  expect(isLocalClient({ remoteAddress, localAddress: '192.0.2.7' }, forwarded)).toBe(isLocal);
});

it('is not a local client if only the /64 network is the same', () => {
  expect(isLocalClient({ remoteAddress: '2001:db8::1', localAddress: '2001:db8::2' }, undefined)).toBe(false);
});
