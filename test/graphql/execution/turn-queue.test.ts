import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { expect, it } from 'vitest';
import { nextTurn } from '../../../src/graphql/execution/turn-queue.ts';
import { times } from '../../support/data.ts';

const iteration = () => new Promise<void>((resolve) => setImmediate(resolve));

it('gives turns to one operation at a time, in the order of the calls', async () => {
  let iterations = 0;
  let counting = setImmediate(function count() {
    iterations += 1;
    counting = setImmediate(count);
  });
  const turns: { readonly name: string; readonly iteration: number }[] = [];
  const operation = async (name: string) => {
    for (const _ of times(3, String)) {
      await nextTurn();
      turns.push({ name, iteration: iterations });
    }
  };
  await Promise.all([operation('a'), operation('b')]);
  clearImmediate(counting);
  expect(turns.map(({ name }) => name).join('')).toBe('ababab');
  for (const [index, turn] of turns.entries()) {
    // Node.js accepts one connection in each iteration of the event loop.
    expect(turn.iteration - (turns[index - 1]?.iteration ?? 0)).toBeGreaterThanOrEqual(16);
  }
});

it('lets the server accept the connections that arrived during a turn before the next one', async () => {
  let accepted = 0;
  const server = createServer(() => (accepted += 1)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await nextTurn();
  const sockets = times(10, () => connect(port, '127.0.0.1'));
  await nextTurn();
  expect(accepted).toBe(10);
  for (const socket of sockets) socket.destroy();
  server.close();
});

it('continues with the next turn after one that fails', async () => {
  const failing = nextTurn().then(() => {
    throw new Error('failed');
  });
  const next = nextTurn();
  await expect(failing).rejects.toThrow('failed');
  await next;
  await iteration();
  await nextTurn();
});
