import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createHttpServer } from '../../src/server/http-server.ts';
import { times } from '../support/data.ts';
import { eventually } from '../support/time/eventually.ts';

describe('pipelined requests', () => {
  let server: Server | undefined;
  let client: Socket | undefined;
  afterEach(() => {
    client?.destroy();
    server?.closeAllConnections();
    server?.close();
  });

  /** Serves responses that the test creates, and sends requests on one connection. */
  async function pipeline(count: number) {
    const handled: string[] = [];
    const pending: ((body: string) => void)[] = [];
    const fetch = (request: Request) => {
      handled.push(new URL(request.url).pathname);
      return new Promise<Response>((resolve) => pending.push((body) => resolve(new Response(body))));
    };
    server = createHttpServer({ fetch });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    let received = 0;
    const allReceived = new Promise<void>((resolve) => {
      server?.on('request', () => ++received === count && resolve());
    });
    client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    let responses = '';
    client.on('data', (data) => (responses += data)).on('error', () => {});
    client.write(times(count, (n) => `GET /${n} HTTP/1.1\r\nHost: localhost\r\n\r\n`).join(''));
    await allReceived;
    return {
      handled,
      respond: (body: string) => pending.shift()?.(body),
      bodies: () => responses.match(/<\d>/g) ?? [],
    };
  }

  it('are handled one after another, in order', async () => {
    const { handled, respond, bodies } = await pipeline(3);
    expect(handled).toEqual(['/0']);
    respond('<0>');
    await eventually(() => expect(handled).toEqual(['/0', '/1']));
    respond('<1>');
    await eventually(() => expect(handled).toEqual(['/0', '/1', '/2']));
    respond('<2>');
    await eventually(() => expect(bodies()).toEqual(['<0>', '<1>', '<2>']));
  });

  it.each([
    ['an invalid Host header', 'Host: a/b\r\n'],
    ['an unknown expectation', 'Host: localhost\r\nExpect: foo\r\n'],
  ])('are not handled after a request with %s, which closes the connection', async (_, headers) => {
    const handled: string[] = [];
    server = createHttpServer({
      fetch: async (request) => {
        handled.push(request.url);
        return new Response();
      },
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    let responses = '';
    client.on('data', (data) => (responses += data)).on('error', () => {});
    client.write(`GET /0 HTTP/1.1\r\n${headers}\r\nGET /1 HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    await once(client, 'close');
    expect(responses).toMatch(/^HTTP\/1\.1 4(00|17) /);
    expect(responses).toContain('Connection: close');
    expect(handled).toEqual([]);
  });
});
