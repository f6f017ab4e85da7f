import { describe, expect, it } from 'vitest';
import { clientAddress, isLocalClient, networkPrefix } from '../../src/http/client-address.ts';

it.each([
  ['the socket where no proxy is trusted', '10.0.0.1', '1.1.1.1, 2.2.2.2', 0, '10.0.0.1'],
  ['the socket where no proxy wrote anything', '10.0.0.1', undefined, 1, '10.0.0.1'],
  ['what one proxy saw', '10.0.0.1', '1.1.1.1', 1, '1.1.1.1'],
  ['what the one proxy saw, not what the client claims', '10.0.0.1', '6.6.6.6, 1.1.1.1', 1, '1.1.1.1'],
  ['what the outer of two proxies saw', '10.0.0.1', '6.6.6.6, 1.1.1.1, 10.0.0.2', 2, '1.1.1.1'],
  ['the socket where fewer proxies wrote than are trusted', '10.0.0.1', '1.1.1.1', 2, '10.0.0.1'],
  ['the socket where the entry is empty', '10.0.0.1', '1.1.1.1, ', 1, '10.0.0.1'],
  ['an entry without the spaces around it', '10.0.0.1', '6.6.6.6 ,\t1.1.1.1 ', 1, '1.1.1.1'],
  ['the /64 of an IPv6 address', '10.0.0.1', '2001:db8::1', 1, '2001:db8:0:0::/64'],
  ['the /64 of the socket’s IPv6 address', '2001:db8::1', undefined, 0, '2001:db8:0:0::/64'],
  ['the IPv4 address that an IPv6 socket shows', '::ffff:192.0.2.1', undefined, 0, '192.0.2.1'],
  ['the same where a proxy wrote it so', '10.0.0.1', '::ffff:192.0.2.1', 1, '192.0.2.1'],
  ['something where nothing is known', undefined, undefined, 1, 'unknown'],
])('is %s', (_, socket, forwarded, trustProxy, address) => {
  expect(clientAddress(socket, forwarded, trustProxy)).toBe(address);
});

const behindProxy = (written: string) => clientAddress('10.0.0.1', written, 1);

describe('behind a proxy', () => {
  it.each([
    '192.0.2.1',
    '192.0.2.1:80',
    '192.0.2.1:65535',
    '[192.0.2.1]:80',
    '::ffff:192.0.2.1',
    '::FFFF:192.0.2.1',
    '::ffff:c000:201',
    '0:0:0:0:0:ffff:c000:0201',
    '[::ffff:192.0.2.1]',
    '[::ffff:192.0.2.1]:443',
  ])('%s is counted as 192.0.2.1', (written) => {
    expect(behindProxy(written)).toBe('192.0.2.1');
  });

  it.each([
    '2001:db8:1:2::1',
    '2001:DB8:1:2::1',
    '2001:0db8:0001:0002:0000:0000:0000:0001',
    '2001:db8:1:2:0:0:0:1',
    '2001:db8:1:2:0::1',
    '2001:db8:1:2:ffff:ffff:ffff:ffff',
    '2001:db8:1:2:a:b:192.0.2.1',
    '2001:db8:1:2::192.0.2.1',
    '[2001:db8:1:2::1]',
    '[2001:db8:1:2::1]:443',
    '2001:db8:1:2::1%eth0',
  ])('%s is counted by its network', (written) => {
    expect(behindProxy(written)).toBe('2001:db8:1:2::/64');
  });

  it.each([
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['::192.0.2.1', '0:0:0:0::/64'],
    ['1::', '1:0:0:0::/64'],
    ['2001:db8::2:0:0:0:1', '2001:db8:0:2::/64'],
    ['2001:0:0:1::', '2001:0:0:1::/64'],
    ['0:0:0:1::', '0:0:0:1::/64'],
    ['1:2:3:4:5:6:7:8', '1:2:3:4::/64'],
    ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
    ['fe80::1%1', 'fe80:0:0:0::/64'],
  ])('%s is counted as %s', (written, network) => {
    expect(behindProxy(written)).toBe(network);
  });

  it.each([
    'unknown',
    '_hidden',
    '"[2001:db8::1]"',
    'for=192.0.2.1',
    '192.0.2',
    '192.0.2.256',
    '010.0.0.1',
    '0x7f.0.0.1',
    '192.0.2.1:port',
    '192.0.2.1:123456',
    '[2001:db8::1',
    '2001:db8::1]',
    '2001:db8:::1',
    '2001:db8::1::2',
    '1:2:3:4:5:6:7:8:9',
    'example.org',
    ':',
    '[]',
    'x'.repeat(10_000),
    ':'.repeat(10_000),
  ])('%s is no address: the socket’s is counted', (written) => {
    expect(behindProxy(written)).toBe('10.0.0.1');
  });
});

it.each([
  ['192.0.2.1', '192.0.2.0/24'],
  ['192.0.2.255', '192.0.2.0/24'],
  ['2001:db8:1:2::/64', '2001:db8:1::/48'],
  ['0:0:0:0::/64', '0:0:0::/48'],
  ['unknown', 'unknown'],
])('the address %s is in %s', (address, prefix) => {
  expect(networkPrefix(address)).toBe(prefix);
});

it.each([
  [true, 'a browser on the machine', '127.0.0.1', undefined],
  [true, 'one that an IPv6 socket shows', '::ffff:127.0.0.1', undefined],
  [true, 'one behind a proxy on the machine', '::1', '127.0.0.1'],
  [false, 'a client elsewhere behind a proxy on the machine', '127.0.0.1', '192.0.2.1'],
  [false, 'one that claims to be on the machine', '127.0.0.1', '127.0.0.1, 192.0.2.1'],
  [false, 'one that claims so without a proxy', '192.0.2.1', '127.0.0.1'],
  [false, 'one whose proxy writes no address', '127.0.0.1', 'unknown'],
  [false, 'one whose connection is closed', undefined, undefined],
])('is on the machine of the service: %s for %s', (isLocal, _, socket, forwarded) => {
  expect(isLocalClient(socket, forwarded)).toBe(isLocal);
});
