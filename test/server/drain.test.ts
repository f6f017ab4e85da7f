import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createHttpServer, drain, listen } from '../../src/server/http-server.ts';
import { times } from '../support/data.ts';

describe('a server that stops', () => {
  const clients: Socket[] = [];
  afterEach(() => {
    for (const client of clients.splice(0)) client.destroy();
  });

  async function serve(fetch: () => Promise<Response>) {
    const server = createHttpServer({ fetch });
    const port = Number(new URL(await listen(server, 0, '127.0.0.1')).port);
    const begin = () => {
      const client = connect(port, '127.0.0.1').on('error', () => {});
      clients.push(client);
      return client;
    };
    const open = async () => {
      const accepted = once(server, 'connection');
      const client = begin();
      await accepted;
      return client;
    };
    return { server, begin, open };
  }

  it('serves the connections that it has not accepted yet', async () => {
    const { server, begin } = await serve(async () => new Response('ok'));
    const answers = times(20, () => {
      const client = begin();
      client.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
      return once(client, 'data').then(([data]) => String(data).slice(0, 12));
    });
    await Promise.all(clients.map((client) => once(client, 'connect')));
    await drain(server);
    expect(await Promise.all(answers)).toEqual(times(20, () => 'HTTP/1.1 200'));
  });

  it.each([
    ['has sent nothing', ''],
    ['has sent an incomplete request', 'GET / HTTP/1.1\r\nHost: local'],
  ])('closes a connection that %s', async (_, sent) => {
    const { server, open } = await serve(async () => new Response('ok'));
    const client = await open();
    client.write(sent);
    const closed = once(client.resume(), 'close');
    await drain(server);
    await closed;
  });

  it('completes a request in progress that takes longer than it waits for silent connections', async () => {
    let respond = (_: Response) => {};
    const response = new Promise<Response>((resolve) => {
      respond = resolve;
    });
    const { server, open } = await serve(() => response);
    const [silent, busy] = [await open(), await open()];
    const arrived = once(server, 'request');
    busy.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await arrived;
    const drained = drain(server);
    await once(silent.resume(), 'close');
    respond(new Response('complete'));
    const [data] = await once(busy, 'data');
    expect(String(data)).toMatch(/^connection: close$[\s\S]*complete/im);
    await drained;
  });

  it('serves new and open connections for the delay, and closes each of them after its response', async () => {
    const { server, open } = await serve(async () => new Response('ok'));
    const reused = await open();
    reused.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    const [before] = await once(reused, 'data');
    expect(String(before)).toContain('keep-alive');
    const drained = drain(server, 2_000);
    for (const client of [reused, await open()]) {
      const closed = once(client, 'close');
      client.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
      const [data] = await once(client, 'data');
      expect(String(data)).toMatch(/^HTTP\/1.1 200[\s\S]*^connection: close$/im);
      await closed;
    }
    await drained;
    expect(server.listening).toBe(false);
  });
});
