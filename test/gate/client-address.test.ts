import { expect, it } from 'vitest';
import { clientAddress } from '../../src/gate/client-address.ts';

it.each([
  ['the socket where no proxy is trusted', '10.0.0.1', '1.1.1.1, 2.2.2.2', 0, '10.0.0.1'],
  ['the socket where no proxy wrote anything', '10.0.0.1', undefined, 1, '10.0.0.1'],
  ['what one proxy saw', '10.0.0.1', '1.1.1.1', 1, '1.1.1.1'],
  ['what the one proxy saw, not what the client claims', '10.0.0.1', '6.6.6.6, 1.1.1.1', 1, '1.1.1.1'],
  ['what the outer of two proxies saw', '10.0.0.1', '6.6.6.6, 1.1.1.1, 10.0.0.2', 2, '1.1.1.1'],
  ['the socket where fewer proxies wrote than are trusted', '10.0.0.1', '1.1.1.1', 2, '10.0.0.1'],
  ['the socket where the entry is empty', '10.0.0.1', '1.1.1.1, ', 1, '10.0.0.1'],
  ['an entry without the spaces around it', '10.0.0.1', '6.6.6.6 ,\t1.1.1.1 ', 1, '1.1.1.1'],
  ['an address of version 6', '10.0.0.1', '2001:db8::1', 1, '2001:db8::1'],
  ['the address of version 4 that a socket of version 6 shows', '::ffff:192.0.2.1', undefined, 0, '192.0.2.1'],
  ['the same where a proxy wrote it so', '10.0.0.1', '::ffff:192.0.2.1', 1, '192.0.2.1'],
  ['something where nothing is known', undefined, undefined, 1, 'unknown'],
])('is %s', (_, socket, forwarded, trustProxy, address) => {
  expect(clientAddress(socket, forwarded, trustProxy)).toBe(address);
});
