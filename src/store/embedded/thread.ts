import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';

/** The embedded database in a worker thread. */
export interface DatabaseThread {
  /** Resolves with the reason when it hangs or ends other than by `close`; its statements then fail. */
  readonly failed: Promise<string>;
  /** Resolves when it has ended and no longer uses the directory. */
  readonly ended: Promise<void>;
  /** Sets the time after which a statement counts as hanging. */
  setStatementLimit(ms: number): void;
  /** Shuts PostgreSQL down, or terminates the thread if that takes too long. */
  close(): Promise<void>;
}

export interface DatabaseThreadOptions {
  /** The folder of PostgreSQL's files. */
  readonly folder: string;
  readonly socketPath: string;
  readonly idleInTransactionMs: number;
  readonly statementLimitMs: number;
  /** Called when an idle transaction was rolled back because others waited. */
  readonly onIdleInTransaction: () => void;
}

/** The settings that the thread receives. */
export interface WorkerSettings extends Pick<DatabaseThreadOptions, 'folder' | 'socketPath' | 'idleInTransactionMs'> {
  /** One 32-bit integer, incremented at every heartbeat. A running statement blocks the heartbeat. */
  readonly heartbeat: SharedArrayBuffer;
  readonly heartbeatMs: number;
}

/** The messages that the thread sends. Any message that it receives makes it shut down. */
export type FromWorker =
  | { readonly type: 'listening' }
  | { readonly type: 'idleInTransaction' }
  | { readonly type: 'failed'; readonly reason: string };

const HEARTBEAT_MS = 100;

/** The maximum time for recovery at the start. */
const START_LIMIT_MS = 120_000;

/** The maximum time for the shutdown checkpoint; what it does not write is recovered from the log. */
const CLOSE_LIMIT_MS = 3_000;

/**
 * Starts a database on existing files; resolves when it listens on its socket.
 *
 * @throws an error with the reason why PostgreSQL could not start as its message.
 */
export async function startDatabaseThread(options: DatabaseThreadOptions): Promise<DatabaseThread> {
  const { folder, socketPath, idleInTransactionMs } = options;
  const heartbeat = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  const beats = new Int32Array(heartbeat);
  const worker = startWorker({ folder, socketPath, idleInTransactionMs, heartbeat, heartbeatMs: HEARTBEAT_MS });
  let [limitMs, isListening, isClosing] = [START_LIMIT_MS, false, false];
  let fail: (reason: string) => void = () => {};
  const failed = new Promise<string>((resolve) => {
    fail = (reason) => isClosing || resolve(reason);
  });
  const stopWatching = watchHeartbeat(
    () => Atomics.load(beats, 0),
    () => limitMs,
    () => {
      fail(`${isListening ? 'a statement did not end' : 'PostgreSQL did not start'} within ${limitMs / 1_000} s`);
      void worker.terminate();
    },
  );
  worker.on('error', (error) => fail(error.message));
  const ended = new Promise<void>((resolve) => {
    worker.once('exit', () => {
      stopWatching();
      fail('its thread ended unexpectedly');
      resolve();
    });
  });
  const started = new Promise<undefined>((resolve) => {
    worker.on('message', (message: FromWorker) => {
      if (message.type === 'failed') fail(message.reason);
      else if (message.type === 'idleInTransaction') options.onIdleInTransaction();
      else {
        isListening = true;
        resolve(undefined);
      }
    });
  });
  const failureReason = await Promise.race([started, failed]);
  if (failureReason !== undefined) {
    await ended;
    throw new Error(failureReason);
  }
  limitMs = options.statementLimitMs;
  return {
    failed,
    ended,
    setStatementLimit(ms) {
      limitMs = ms;
    },
    async close() {
      isClosing = true;
      worker.postMessage('close');
      const timer = setTimeout(() => void worker.terminate(), CLOSE_LIMIT_MS);
      await ended;
      clearTimeout(timer);
    },
  };
}

/** Runs `worker.ts`: from TypeScript in development, otherwise its compiled file. */
function startWorker(workerData: WorkerSettings): Worker {
  if (extname(import.meta.url) === '.js') return new Worker(new URL('./worker.js', import.meta.url), { workerData });
  const argv = [new URL('./worker.ts', import.meta.url).href];
  return new Worker(new URL('../../../.config/worker-from-source.mjs', import.meta.url), { workerData, argv });
}

/**
 * Calls `onHang` once when there was no heartbeat for longer than the limit. Time is measured by the number of checks
 * and not by a clock, so that time in which the process or the machine is suspended does not count.
 *
 * @param beats the number of heartbeats so far.
 * @returns a function that stops watching.
 */
export function watchHeartbeat(beats: () => number, limitMs: () => number, onHang: () => void): () => void {
  const intervalMs = 2 * HEARTBEAT_MS;
  let last = beats();
  let silentMs = 0;
  const timer = setInterval(() => {
    const current = beats();
    silentMs = current === last ? silentMs + intervalMs : 0;
    last = current;
    if (silentMs < limitMs()) return;
    clearInterval(timer);
    onHang();
  }, intervalMs);
  return () => clearInterval(timer);
}
