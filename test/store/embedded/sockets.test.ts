import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createSocketServer, type SocketServer } from '../../../src/store/embedded/socket-server.ts';
import { times } from '../../support/data.ts';

/** A protocol message. */
function message(type: string, body = ''): Buffer {
  const header = Buffer.alloc(5);
  header.write(type);
  header.writeInt32BE(4 + Buffer.byteLength(body), 1);
  return Buffer.concat([header, Buffer.from(body)]);
}

const query = (text: string) => message('Q', `${text}\0`);

/** A startup message: length, code and body. */
function startupMessage(code: number, body = ''): Buffer {
  const header = Buffer.alloc(8);
  header.writeInt32BE(8 + body.length);
  header.writeInt32BE(code, 4);
  return Buffer.concat([header, Buffer.from(body)]);
}

const STARTUP = startupMessage(196_608, 'user\0a\0\0');
const IDLE_MS = 1_000;

let folder: string;
let server: SocketServer;
let executed: string[];
let inTransaction: boolean;
let ended: number;
beforeEach(async () => {
  // Only the timer that measures idle time; sockets need the others.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  folder = await mkdtemp(join(tmpdir(), 'cms-sockets-'));
  [executed, inTransaction, ended] = [[], false, 0];
  server = createSocketServer(
    {
      execute(messages) {
        const text = messages.equals(STARTUP) ? 'startup' : String(messages.subarray(5)).replaceAll('\0', '');
        executed.push(text);
        if (text === 'BEGIN') inTransaction = true;
        if (text === 'ROLLBACK') inTransaction = false;
        return Buffer.from(`${text};`);
      },
      isInTransaction: () => inTransaction,
    },
    { idleInTransactionMs: IDLE_MS, onIdleInTransaction: () => ended++ },
  );
  await server.listen(join(folder, 's'));
});
afterEach(async () => {
  await server.close();
  vi.useRealTimers();
  await rm(folder, { recursive: true });
});

interface Client {
  send(...bytes: Buffer[]): void;
  /** Resolves when these bytes are received after all earlier ones. */
  answered(text: string): Promise<void>;
  readonly closed: Promise<string>;
  end(): void;
}

function client(): Client {
  const socket: Socket = connect(join(folder, 's'));
  let received = '';
  socket.on('data', (bytes) => {
    received += bytes;
  });
  const until = (text: string, resolve: () => void) => {
    const look = () => {
      if (!received.includes(text)) return;
      socket.off('data', look);
      resolve();
    };
    socket.on('data', look);
    look();
  };
  return {
    send: (...bytes) => socket.write(Buffer.concat(bytes)),
    answered: (text) => new Promise((resolve) => until(text, resolve)),
    closed: new Promise((resolve) => socket.once('close', () => resolve(received))),
    end: () => socket.destroy(),
  };
}

async function started(): Promise<Client> {
  const one = client();
  one.send(STARTUP);
  await one.answered('startup;');
  return one;
}

it('rolls back a transaction that was idle for too long when another connection waits', async () => {
  const [one, two] = [await started(), await started()];
  one.send(query('BEGIN'));
  await one.answered('BEGIN;');
  vi.advanceTimersByTime(IDLE_MS * 20);
  one.send(query('still'));
  await one.answered('still;');
  vi.advanceTimersByTime(IDLE_MS * 0.9);
  expect(ended).toBe(0);
  two.send(query('waits'));
  two.send(query('waits too'));
  await vi.waitFor(() => {
    vi.advanceTimersByTime(IDLE_MS / 10);
    expect(ended).toBe(1);
  });
  await two.answered('waits too;');
  one.send(query('too late'));
  expect(await one.closed).toContain('terminating connection due to idle-in-transaction timeout');
  expect(executed).toEqual(['startup', 'startup', 'BEGIN', 'still', '', 'ROLLBACK', 'waits', 'waits too']);
});

it('measures idle time from the last statement', async () => {
  const [one, two] = [await started(), await started()];
  one.send(query('BEGIN'));
  await one.answered('BEGIN;');
  two.send(query('waits'));
  for (const n of times(20, (n) => n)) {
    vi.advanceTimersByTime(IDLE_MS / 2);
    one.send(query(`step ${n}`));
    await one.answered(`step ${n};`);
  }
  one.send(query('ROLLBACK'));
  await two.answered('waits;');
  expect(ended).toBe(0);
});

it('keeps the session exclusive between Flush and Sync, and releases it when the client disconnects', async () => {
  const [one, two] = [await started(), await started()];
  one.send(message('P', 'parse'), message('H'));
  await vi.waitFor(() => expect(executed).toHaveLength(3));
  two.send(query('waits'));
  one.end();
  await two.answered('waits;');
  expect(executed.slice(3)).toEqual(['', 'waits']);
});

it.each([
  ['an unknown protocol', Buffer.from('GET / HTTP/1.1\r\n\r\n')],
  ['a request for encryption', startupMessage(80_877_103)],
  ['a message of an invalid length', Buffer.concat([STARTUP, Buffer.from([81, 0, 0, 0, 1])])],
])('closes a connection with %s, and serves the others', async (_, bytes) => {
  const one = client();
  one.send(bytes);
  await one.closed;
  const two = await started();
  two.send(query('served'));
  await two.answered('served;');
});
