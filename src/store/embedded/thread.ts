import { extname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { createWatchdog } from './watchdog.ts';
import { type FromWorker, HEARTBEAT_MS, type WorkerSettings } from './worker-messages.ts';

/** The embedded database in a thread of its own. */
export interface DatabaseThread {
  /** Resolves, with the reason, when it hangs or ends otherwise than by `close`; its statements fail afterwards. */
  readonly failed: Promise<string>;
  /** Resolves when it has ended: nothing of it uses the directory any more. */
  readonly ended: Promise<void>;
  /** How long a statement may take before the thread counts as hanging. */
  setStatementLimit(ms: number): void;
  /** Ends PostgreSQL in order, or the thread where that takes too long. */
  close(): Promise<void>;
}

export interface DatabaseThreadOptions extends Pick<WorkerSettings, 'folder' | 'socketPath' | 'idleInTransactionMs'> {
  readonly statementLimitMs: number;
  /** Told that an idle transaction was rolled back, because others waited for it. */
  readonly onIdleInTransaction: () => void;
}

/** For how long PostgreSQL may make its files or read its log before it listens. */
const START_LIMIT_MS = 120_000;

/** For how long it may write what it has in memory at the end. What it does not write is in its log. */
const CLOSE_LIMIT_MS = 3_000;

/**
 * Starts the database; resolves when it can be reached at its socket.
 *
 * @throws an error whose message is the reason why PostgreSQL could not start.
 */
export async function startDatabaseThread(options: DatabaseThreadOptions): Promise<DatabaseThread> {
  const heartbeat = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  const beats = new Int32Array(heartbeat);
  const { folder, socketPath, idleInTransactionMs } = options;
  const workerData: WorkerSettings = { folder, socketPath, heartbeat, idleInTransactionMs };
  const worker = startWorker(workerData);
  let isClosing = false;
  let fail: (reason: string) => void = () => {};
  const failed = new Promise<string>((resolve) => {
    fail = (reason) => isClosing || resolve(reason);
  });
  const watchdog = createWatchdog({
    beats: () => Atomics.load(beats, 0),
    limitMs: START_LIMIT_MS,
    intervalMs: HEARTBEAT_MS * 2,
    onHang(limitMs) {
      fail(`a statement did not end within ${limitMs / 1_000} s`);
      void worker.terminate();
    },
  });
  worker.on('error', (error) => fail(error.message));
  const ended = new Promise<void>((resolve) => {
    worker.once('exit', () => {
      watchdog.stop();
      fail('its thread ended unexpectedly');
      resolve();
    });
  });
  const listening = new Promise<void>((resolve) => {
    worker.on('message', (message: FromWorker) => {
      if (message.type === 'listening') resolve();
      else if (message.type === 'idleInTransaction') options.onIdleInTransaction();
      else fail(message.reason);
    });
  });
  const failedToStart = await Promise.race([listening, failed]);
  if (failedToStart !== undefined) {
    await ended;
    throw new Error(failedToStart);
  }
  watchdog.setLimit(options.statementLimitMs);
  return {
    failed,
    ended,
    setStatementLimit: watchdog.setLimit,
    async close() {
      isClosing = true;
      worker.postMessage('close');
      const abort = new AbortController();
      const late = sleep(CLOSE_LIMIT_MS, undefined, { signal: abort.signal }).then(
        () => worker.terminate(),
        () => {},
      );
      await Promise.race([ended, late]);
      abort.abort();
      await ended;
    },
  };
}

function startWorker(workerData: WorkerSettings): Worker {
  const isSource = extname(import.meta.url) === '.ts';
  const file = isSource ? '../../../.config/worker-from-source.mjs' : './worker.js';
  return new Worker(new URL(file, import.meta.url), { workerData });
}
