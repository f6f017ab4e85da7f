import { Worker } from 'node:worker_threads';
import { workerEntry } from '../../processes/worker-entry.ts';
import { createWatchdog } from './watchdog.ts';
import { type FromWorker, HEARTBEAT_MS, type WorkerSettings } from './worker-messages.ts';

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

export interface DatabaseThreadOptions extends Pick<WorkerSettings, 'folder' | 'socketPath' | 'idleInTransactionMs'> {
  readonly statementLimitMs: number;
  /** Called when an idle transaction was rolled back because others waited. */
  readonly onIdleInTransaction: () => void;
}

/** The maximum time for the creation of the files or for recovery at the start. */
const START_LIMIT_MS = 120_000;

/** The maximum time for the shutdown checkpoint; what it does not write is recovered from the log. */
const CLOSE_LIMIT_MS = 3_000;

/**
 * Starts a database, and creates its files unless they exist; resolves when it listens on its socket.
 *
 * @throws an error with the reason why PostgreSQL could not start as its message.
 */
export async function startDatabaseThread(options: DatabaseThreadOptions): Promise<DatabaseThread> {
  const heartbeat = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  const beats = new Int32Array(heartbeat);
  const { folder, socketPath, idleInTransactionMs } = options;
  const workerData: WorkerSettings = { folder, socketPath, heartbeat, idleInTransactionMs };
  const { file, argv } = workerEntry('./worker', import.meta.url);
  const worker = new Worker(file, { workerData, argv });
  let isListening = false;
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
      const what = isListening ? 'a statement did not end' : 'PostgreSQL did not start';
      fail(`${what} within ${limitMs / 1_000} s`);
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
  watchdog.setLimit(options.statementLimitMs);
  return {
    failed,
    ended,
    setStatementLimit: watchdog.setLimit,
    async close() {
      isClosing = true;
      worker.postMessage('close');
      const timer = setTimeout(() => void worker.terminate(), CLOSE_LIMIT_MS);
      await ended;
      clearTimeout(timer);
    },
  };
}
