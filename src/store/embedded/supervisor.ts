import { extname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';

/** A database that restarts when its thread fails. */
export interface SupervisedDatabase {
  /** Why it is not running; undefined while it is. */
  failure(): string | undefined;
  /** Shuts PostgreSQL down. */
  close(): Promise<void>;
}

export interface SupervisorOptions extends DatabaseOptions {
  /** Called with the reason when the database failed after its first start, and after each failed restart. */
  readonly onFailure: (reason: string) => void;
  /** Called when an idle transaction was rolled back and its connection closed while others waited. */
  readonly onIdleInTransaction: () => void;
}

/** The delay before a restart: long enough that repeated failed starts use little CPU time. */
const RETRY_MS = 2_000;

/**
 * Starts the database, and restarts it when its thread hangs or ends. PostgreSQL then recovers all acknowledged writes
 * from its log.
 *
 * @returns the database when it listens on its socket.
 * @throws an error with the reason as its message if PostgreSQL cannot start.
 */
export async function superviseDatabase(options: SupervisorOptions): Promise<SupervisedDatabase> {
  const closing = new AbortController();
  let failure: string | undefined;
  let hasOpened = false;

  const supervise = async (onOpen: () => void) => {
    const onMessage = (message: ThreadMessage) => {
      if (message === 'idleInTransaction') return options.onIdleInTransaction();
      failure = message === 'listening' ? undefined : message.failure;
      if (failure === undefined) {
        hasOpened = true;
        onOpen();
      } else if (hasOpened) options.onFailure(failure);
    };
    while (!closing.signal.aborted) {
      await runDatabaseThread(options, closing.signal, onMessage);
      if (!hasOpened) throw new Error(failure);
      await sleep(RETRY_MS, undefined, { signal: closing.signal }).catch(() => {});
    }
  };

  let supervised: Promise<void> | undefined;
  await new Promise<void>((resolve, reject) => {
    supervised = supervise(resolve);
    supervised.catch(reject);
  });
  return {
    failure: () => failure,
    async close() {
      closing.abort();
      await supervised;
    },
  };
}

/** What every thread of a database has in common. */
interface DatabaseOptions {
  /** The folder of PostgreSQL's files. */
  readonly folder: string;
  readonly socketPath: string;
  /** The maximum idle time of a transaction while other connections wait. */
  readonly idleInTransactionMs: number;
  /** Returns the time after which a statement counts as hanging. */
  readonly statementLimitMs: () => number;
}

/** The settings that the thread receives. */
export interface WorkerSettings extends Omit<DatabaseOptions, 'statementLimitMs'> {
  /** See {@link watchHeartbeat}. */
  readonly checksSinceHeartbeat: Int32Array;
}

/** What the thread reports: that it listens on its socket, that an idle transaction was rolled back, or why it ends. */
export type ThreadMessage = 'listening' | 'idleInTransaction' | { readonly failure: string };

/** The interval at which the thread sets `checksSinceHeartbeat` to 0. A running statement blocks it. */
export const HEARTBEAT_MS = 100;

/** Longer than {@link HEARTBEAT_MS}, so that there is a heartbeat between two checks. */
const CHECK_MS = 2 * HEARTBEAT_MS;

/** The maximum time for recovery at the start. */
const START_LIMIT_MS = 120_000;

/** The maximum time for the shutdown checkpoint; what it does not write is recovered from the log. */
const CLOSE_LIMIT_MS = 3_000;

/**
 * Runs a database on existing files in a worker thread; resolves when it has ended and no longer uses the directory.
 *
 * @param signal shuts PostgreSQL down when it is aborted, or terminates the thread if that takes too long.
 * @param onMessage receives a failure once, if the thread hangs, or ends before the signal is aborted; running and waiting
 *   statements then fail.
 */
async function runDatabaseThread(
  { folder, socketPath, idleInTransactionMs, statementLimitMs }: DatabaseOptions,
  signal: AbortSignal,
  onMessage: (message: ThreadMessage) => void,
): Promise<void> {
  const checksSinceHeartbeat = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const worker = startWorker({ folder, socketPath, idleInTransactionMs, checksSinceHeartbeat });
  let isListening = false;
  let hasFailed = false;
  const fail = (failure: string) => {
    if (!hasFailed && !signal.aborted) onMessage({ failure });
    hasFailed = true;
  };
  const limitMs = () => (isListening ? statementLimitMs() : START_LIMIT_MS);
  const onHang = () => {
    fail(`${isListening ? 'a statement did not end' : 'PostgreSQL did not start'} within ${limitMs() / 1_000} s`);
    void worker.terminate();
  };
  const stopWatching = watchHeartbeat(checksSinceHeartbeat, limitMs, onHang);
  const shutDown = () => {
    worker.postMessage('close');
    setTimeout(() => void worker.terminate(), CLOSE_LIMIT_MS).unref();
  };
  signal.addEventListener('abort', shutDown);
  worker.on('message', (message: ThreadMessage) => {
    if (message === 'listening') isListening = true;
    if (typeof message === 'object') fail(message.failure);
    else onMessage(message);
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
 * @param checks the number of checks since the last heartbeat, in memory that is shared with the thread.
 * @returns a function that stops watching.
 */
export function watchHeartbeat(checks: Int32Array, limitMs: () => number, onHang: () => void): () => void {
  const timer = setInterval(() => {
    if (CHECK_MS * Atomics.add(checks, 0, 1) < limitMs()) return;
    clearInterval(timer);
    onHang();
  }, CHECK_MS);
  return () => clearInterval(timer);
}
