import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { untilIdleTurn } from '../../src/http/idle-turn.ts';
import { times } from '../support/data.ts';

const CONNECTIONS = 20;

const server = createServer();
const clients: ReturnType<typeof connect>[] = [];
afterEach(() => {
  for (const client of clients) client.destroy();
  server.close();
});

it('all connections that wait are accepted before a turn of the event loop is idle', async () => {
  let accepted = 0;
  server.on('connection', (socket) => {
    accepted += 1;
    socket.on('error', () => {});
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  clients.push(...times(CONNECTIONS, () => connect(port, '127.0.0.1').on('error', () => {})));
  await once(clients[0] as (typeof clients)[0], 'connect');
  await untilIdleTurn(10_000);
  expect(accepted).toBe(CONNECTIONS);
});
