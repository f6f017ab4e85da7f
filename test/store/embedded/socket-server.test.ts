import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, expect, it, vi } from 'vitest';
import { serveSession } from '../../../src/store/embedded/socket-server.ts';
import { times } from '../../support/data.ts';
import { temporaryStores } from '../../support/stores/directories.ts';
import { message, STARTUP, text } from './messages.ts';

const { folder } = temporaryStores();
afterEach(() => {
  vi.useRealTimers();
});

/** A server with a session that answers each message, and begins a transaction at BEGIN. */
async function serve(idleInTransactionMs: number) {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const executed: string[] = [];
  let isInTransaction = false;
  const onIdleInTransaction = vi.fn();
  const session = {
    execute(messages: Buffer) {
      const statement = messages.toString('utf8', 5, messages.length - 1);
      executed.push(statement);
      if (statement === 'BEGIN') isInTransaction = true;
      if (statement === 'ROLLBACK') isInTransaction = false;
      return Buffer.from('answer');
    },
    isInTransaction: () => isInTransaction,
  };
  const socketPath = join(await folder(), 'socket');
  const close = await serveSession(session, { socketPath, idleInTransactionMs, onIdleInTransaction });
  const ask = async (socket: Socket, bytes: Buffer) => {
    const answer = once(socket, 'data');
    socket.write(bytes);
    const [received] = await answer;
    // The server counts as idle only in the turn after its answer.
    await turn();
    return String(received);
  };
  const connectTo = async () => {
    const socket = connect(socketPath);
    await ask(socket, STARTUP);
    return socket;
  };
  return { close, executed, onIdleInTransaction, ask, connectTo };
}

it('rolls back a transaction if it is idle for the limit since its last statement while others wait', async () => {
  const { close, executed, onIdleInTransaction, ask, connectTo } = await serve(1_000);
  const [holder, other] = [await connectTo(), await connectTo()];
  const statement = (value: string) => message('Q', text(value));
  await ask(holder, statement('BEGIN'));
  const served = ask(other, statement('OTHER'));
  for (const _ of times(5, String)) {
    await ask(holder, statement('SELECT'));
    vi.advanceTimersByTime(900);
  }
  expect([onIdleInTransaction.mock.calls.length, executed.includes('OTHER')]).toEqual([0, false]);
  const error = once(holder, 'data');
  vi.advanceTimersByTime(100);
  expect(await served).toBe('answer');
  expect(onIdleInTransaction).toHaveBeenCalledOnce();
  expect(executed.slice(-2)).toEqual(['ROLLBACK', 'OTHER']);
  expect(String(await error)).toContain('terminating connection due to idle-in-transaction timeout');
  await close();
});
