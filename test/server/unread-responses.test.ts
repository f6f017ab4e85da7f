import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { limitUnreadResponses, type UnreadLimits } from '../../src/server/unread-responses.ts';

/** More than the operating system buffers for one connection. */
const RESPONSE_BYTES = 16 * 1024 * 1024;
const AN_HOUR = 3_600_000;

describe('an unread response', () => {
  let server: Server | undefined;
  const clients: Socket[] = [];

  afterEach(() => {
    for (const client of clients.splice(0)) client.destroy();
    server?.closeAllConnections();
    server?.close();
  });

  async function serve(limits: UnreadLimits): Promise<Server> {
    const bound = limitUnreadResponses(limits);
    server = createServer((_request, response) => {
      bound(response);
      setImmediate(() => response.end(Buffer.alloc(RESPONSE_BYTES)));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return server;
  }

  /** Sends a request; resolves with the server's socket once its response was written or dropped. */
  async function request(to: Server): Promise<Socket> {
    const arrived = once(to, 'request');
    const client = connect((to.address() as AddressInfo).port, '127.0.0.1');
    clients.push(client);
    client.pause().on('error', () => {});
    client.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    const [{ socket }, response] = await arrived;
    await once(response, 'prefinish');
    return socket;
  }

  it('is dropped with its connection after the maximum time', async () => {
    const socket = await request(await serve({ bytes: Infinity, milliseconds: 20 }));
    await once(socket, 'close');
    expect(socket.bytesWritten).toBeLessThan(RESPONSE_BYTES + 1_000);
  });

  it('is dropped to free memory for later ones, oldest first', async () => {
    const to = await serve({ bytes: 3.5 * RESPONSE_BYTES, milliseconds: AN_HOUR });
    const sockets: Socket[] = [];
    for (let n = 0; n < 6; n += 1) sockets.push(await request(to));
    const open = sockets.map(({ destroyed }) => !destroyed);
    expect(open.slice(0, 2)).toEqual([false, false]);
    expect(open.slice(-3)).toEqual([true, true, true]);
    const unread = sockets.reduce((sum, { writableLength, destroyed }) => sum + (destroyed ? 0 : writableLength), 0);
    expect(unread).toBeLessThanOrEqual(3.5 * RESPONSE_BYTES);
  });
});
