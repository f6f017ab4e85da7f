import { createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mayConnect, webhookUrl } from '../../src/domain/webhooks/webhook-url.ts';
import { post } from '../../src/webhooks/post.ts';
import { createSafeLookup } from '../../src/webhooks/safe-lookup.ts';
import { startReceiver } from '../support/receiver.ts';
import { eventually } from '../support/time/eventually.ts';

const NOT_PUBLIC = 'the host has an address that is not public';

/** IPv4 addresses that are not public, at least one of each special range (RFC 6890). */
const IPV4 = `0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 100.64.0.1 100.127.255.254 127.0.0.1 127.255.255.254 169.254.0.1
  169.254.169.254 172.16.0.1 172.31.255.254 192.0.0.1 192.0.0.170 192.0.2.1 192.31.196.1 192.52.193.1 192.88.99.1
  192.168.0.1 192.168.255.254 192.175.48.1 198.18.0.1 198.19.255.254 198.51.100.1 203.0.113.1 224.0.0.1 239.255.255.255
  240.0.0.1 255.255.255.255`.split(/\s+/);

/** IPv6 addresses that are not public. */
const IPV6 =
  `:: ::1 0:0:0:0:0:0:0:1 64:ff9b:1::1 100::1 2001::1 2001:2::1 2001:20::1 2001:db8::1 2002::1 2620:4f:8000::1 3fff::1
  4000::1 5f00::1 fc00::1 fd00:ec2::254 fdff::1 fe80::1 febf::1 fec0::1 ff02::1 ff0e::1`.split(/\s+/);

/** The spellings of an IPv4 address that parsers of URLs or networks accept: decimal, octal, hexadecimal, fewer parts, in IPv6. */
function spellings(address: string): string[] {
  const parts = address.split('.').map(Number);
  const [a = 0, b = 0, c = 0, d = 0] = parts;
  const number = parts.reduce((sum, part) => sum * 256 + part, 0);
  const hex = (value: number) => `0x${value.toString(16)}`;
  const [high, low] = [(a * 256 + b).toString(16), (c * 256 + d).toString(16)];
  return [
    address,
    `${address}.`,
    String(number),
    hex(number),
    parts.map(hex).join('.'),
    parts.map((part) => `0${part.toString(8)}`).join('.'),
    `${a}.${b}.${c * 256 + d}`,
    `${a}.${(b * 256 + c) * 256 + d}`,
    address.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
    encodeURIComponent(address).replace('1', '%31'),
    `[::ffff:${address}]`,
    `[::ffff:${high}:${low}]`,
    `[::${address}]`,
    `[::ffff:0:${address}]`,
    `[64:ff9b::${address}]`,
    `[2002:${high}:${low}::1]`,
  ];
}

const HOSTILE_HOSTS = [...IPV4.flatMap(spellings), ...IPV6.map((address) => `[${address}]`)];

/** A delivery to a URL, as by a service whose operator allows public addresses only. */
const attempt = (url: string, options: Partial<Parameters<typeof post>[1]> = {}) =>
  post(url, { allowsPrivate: false, headers: {}, body: '{"changes":[]}', ...options });

describe('a delivery', () => {
  let connections = 0;
  const servers: Server[] = [];
  let port: number;

  beforeAll(async () => {
    const listen = (host: string, onPort: number) =>
      new Promise<number>((resolve) => {
        const server = createServer((socket) => {
          connections += 1;
          socket.destroy();
        });
        server.on('error', () => resolve(0));
        server.listen(onPort, host, () => resolve((server.address() as { port: number }).port));
        servers.push(server);
      });
    port = await listen('0.0.0.0', 0);
    await listen('::1', port);
  });
  afterAll(() => {
    for (const server of servers) server.close();
  });

  it(`reaches none of ${HOSTILE_HOSTS.length} hosts that are addresses of private and special networks`, async () => {
    expect(HOSTILE_HOSTS.length).toBeGreaterThan(450);
    for (const host of HOSTILE_HOSTS) {
      const url = `https://${host}:${port}/`;
      expect.soft(webhookUrl(false).safeParse(url).success, host).toBe(false);
      if (URL.canParse(url)) expect.soft((await attempt(url)).error, host).toBe(NOT_PUBLIC);
    }
    expect(connections).toBe(0);
  });

  it('reaches no name with such an address, also beside a public one', async () => {
    for (const address of [...IPV4, ...IPV6]) {
      const family = address.includes(':') ? 6 : 4;
      for (const others of [[], [{ address: '93.184.215.14', family: 4 }]]) {
        const resolveHost = async () => [...others, { address, family }];
        const { error, status } = await attempt(`https://hooks.example.org:${port}/`, { resolveHost });
        expect.soft([error, status], address).toEqual([NOT_PUBLIC, null]);
      }
    }
    expect(connections).toBe(0);
  });

  it('connects to the addresses that were checked, and checks those of the next connection again', async () => {
    const answers = [[{ address: '93.184.215.14', family: 4 }], [{ address: '127.0.0.1', family: 4 }]];
    let calls = 0;
    const lookup = createSafeLookup({
      isHttps: true,
      allowsPrivate: false,
      resolveHost: async () => answers[calls++] ?? [],
    });
    const look = () =>
      new Promise((resolve) => lookup('hooks.example.org', { all: true }, (...result) => resolve(result)));
    expect(await look()).toEqual([null, answers[0]]);
    expect(await look()).toEqual([expect.objectContaining({ message: NOT_PUBLIC }), '']);
    expect(calls).toBe(2);
  });

  it('sends no secrets of names: a host that does not exist has a short error', async () => {
    const failing = async () => Promise.reject(Object.assign(new Error('queryA ENOTFOUND x'), { code: 'ENOTFOUND' }));
    const { error } = await attempt('https://hooks.example.org/', { resolveHost: failing });
    expect(error).toBe('the connection failed (ENOTFOUND)');
    expect((await attempt('https://hooks.example.org/', { resolveHost: async () => [] })).error).toBe(
      'the connection failed',
    );
  });

  it('goes to private networks only if the operator allows it, and by http only there', async () => {
    const receiver = await startReceiver();
    expect((await attempt(receiver.url)).error).toBe(NOT_PUBLIC);
    expect(receiver.received).toEqual([]);
    expect((await attempt(receiver.url, { allowsPrivate: true })).status).toBe(204);
    const loopback = async () => [{ address: '127.0.0.1', family: 4 }];
    const named = receiver.url.replace('127.0.0.1', 'receiver.test');
    expect((await attempt(named, { allowsPrivate: true, resolveHost: loopback })).status).toBe(204);
    expect(mayConnect('8.8.8.8', false, true)).toBe(false);
    expect([mayConnect('8.8.8.8', true, false), mayConnect('2606:4700:4700::1111', true, false)]).toEqual([true, true]);
    for (const address of [
      '169.254.169.254',
      'fe80::1',
      '224.0.0.1',
      '0.0.0.0',
      '::',
      '::ffff:10.0.0.1',
      'localhost',
      '',
    ]) {
      expect.soft(mayConnect(address, true, true), address).toBe(false);
    }
  });

  it('verifies the certificate of the receiver', async () => {
    const receiver = await startReceiver();
    const url = receiver.url.replace('http:', 'https:');
    expect((await attempt(url, { allowsPrivate: true })).error).toMatch(/^the connection failed \(/);
    expect(receiver.received).toEqual([]);
  });

  it('follows no redirect', async () => {
    const target = await startReceiver();
    const receiver = await startReceiver((_, response) => {
      response.writeHead(307, { Location: target.url }).end();
      return undefined;
    });
    expect((await attempt(receiver.url, { allowsPrivate: true })).status).toBe(307);
    expect(target.received).toEqual([]);
  });

  it('reads one kilobyte of a response that does not end, and closes the connection', async () => {
    const receiver = await startReceiver((_, response) => {
      response.writeHead(200);
      const write = (): void => {
        while (response.write('🎵\0'.repeat(1_000)));
        response.once('drain', write);
      };
      write();
      return undefined;
    });
    const { status, answer, error } = await attempt(receiver.url, { allowsPrivate: true });
    expect([status, error, answer]).toEqual([200, null, '🎵'.repeat(100)]);
    await eventually(() => expect(receiver.open).toBe(0));
  });

  it.each(['nothing', 'the status, but no end of the body'])('ends in time if the receiver sends %s', async (what) => {
    const receiver = await startReceiver((_, response) => {
      if (what !== 'nothing') response.writeHead(200).write('half');
      return undefined;
    });
    const { status, error, answer } = await attempt(receiver.url, { allowsPrivate: true, timeoutMs: 1_000 });
    expect([status, error, answer]).toEqual(
      what === 'nothing' ? [null, 'no response within 1 seconds', null] : [200, null, 'half'],
    );
    await eventually(() => expect(receiver.open).toBe(0));
  });

  it('has an error, not an exception, if there is no response', async () => {
    const receiver = await startReceiver((_, response) => {
      response.destroy();
      return undefined;
    });
    expect((await attempt(receiver.url, { allowsPrivate: true })).error).toBe('the connection failed (ECONNRESET)');
    await receiver.close();
    expect((await attempt(receiver.url, { allowsPrivate: true })).error).toBe('the connection failed (ECONNREFUSED)');
  });

  it('ends if the receiver changes the protocol, of which Node.js reports no error', async () => {
    const receiver = await startReceiver((_, { socket }) => {
      socket?.write('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: other\r\n\r\n');
      return undefined;
    });
    const { status, error } = await attempt(receiver.url, { allowsPrivate: true, timeoutMs: 1_000 });
    expect([status, error]).toEqual([null, 'the connection failed']);
  });
});
