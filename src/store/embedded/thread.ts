import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';

/** The settings that the thread receives. */
export interface WorkerSettings {
  /** The folder of PostgreSQL's files. */
  readonly folder: string;
  readonly socketPath: string;
  readonly idleInTransactionMs: number;
  /** Shared memory, incremented at every heartbeat. A running statement blocks the heartbeat. */
  readonly heartbeat: Int32Array;
  readonly heartbeatMs: number;
}

/** The messages that the thread sends. Any message that it receives makes it shut down. */
export type FromWorker = 'listening' | 'idleInTransaction' | { readonly failure: string };

export interface DatabaseThreadOptions extends Omit<WorkerSettings, 'heartbeat' | 'heartbeatMs'> {
  /** Returns the time after which a statement counts as hanging. */
  readonly statementLimitMs: () => number;
  /** Shuts PostgreSQL down when it is aborted, or terminates the thread if that takes too long. */
  readonly signal: AbortSignal;
  /** Called when the database listens on its socket. */
  readonly onListening: () => void;
  /** Called when an idle transaction was rolled back because others waited. */
  readonly onIdleInTransaction: () => void;
  /** Called once with the reason when the thread hangs or ends without being aborted; its statements then fail. */
  readonly onFailure: (reason: string) => void;
}

const HEARTBEAT_MS = 100;

/** The maximum time for recovery at the start. */
const START_LIMIT_MS = 120_000;

/** The maximum time for the shutdown checkpoint; what it does not write is recovered from the log. */
const CLOSE_LIMIT_MS = 3_000;

/** Runs a database on existing files in a worker thread; resolves when it has ended and no longer uses the directory. */
export async function runDatabaseThread(options: DatabaseThreadOptions): Promise<void> {
  const { folder, socketPath, idleInTransactionMs, signal } = options;
  const heartbeat = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const worker = startWorker({ folder, socketPath, idleInTransactionMs, heartbeat, heartbeatMs: HEARTBEAT_MS });
  let [isListening, hasFailed] = [false, false];
  const fail = (reason: string) => {
    if (hasFailed || signal.aborted) return;
    hasFailed = true;
    options.onFailure(reason);
  };
  const limitMs = () => (isListening ? options.statementLimitMs() : START_LIMIT_MS);
  const stopWatching = watchHeartbeat(
    () => Atomics.load(heartbeat, 0),
    limitMs,
    () => {
      fail(`${isListening ? 'a statement did not end' : 'PostgreSQL did not start'} within ${limitMs() / 1_000} s`);
      void worker.terminate();
    },
  );
  const shutDown = () => {
    worker.postMessage('close');
    setTimeout(() => void worker.terminate(), CLOSE_LIMIT_MS).unref();
  };
  signal.addEventListener('abort', shutDown);
  worker.on('message', (message: FromWorker) => {
    if (message === 'idleInTransaction') return options.onIdleInTransaction();
    if (message !== 'listening') return fail(message.failure);
    isListening = true;
    options.onListening();
  });
  worker.on('error', (error) => fail(error.message));
  await new Promise((resolve) => worker.once('exit', resolve));
  stopWatching();
  signal.removeEventListener('abort', shutDown);
  fail('its thread ended unexpectedly');
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
