import { setTimeout as sleep } from 'node:timers/promises';
import { type DatabaseThread, type DatabaseThreadOptions, startDatabaseThread } from './thread.ts';

/** What happened to the embedded database while it was open. */
export type EmbeddedDatabaseEvent =
  /** It hung or ended; statements that ran or waited failed. It is started again after `retryMs`. */
  | { readonly type: 'failed'; readonly reason: string; readonly retryMs: number }
  /** The same, and it is not started again. */
  | { readonly type: 'gaveUp'; readonly reason: string }
  | { readonly type: 'recovered' }
  /** An idle transaction was rolled back and its connection closed, because others waited for it. */
  | { readonly type: 'idleInTransaction' };

/** The database in its thread, replaced by a new one when it fails. */
export interface SupervisedDatabase {
  /** Why it does not run now; undefined while it does. */
  failure(): string | undefined;
  setStatementLimit(ms: number): void;
  close(): Promise<void>;
}

export interface SupervisorOptions extends Omit<DatabaseThreadOptions, 'onIdleInTransaction'> {
  /** How often in a row it may fail to start before it is given up; 0: a failure is final. */
  readonly maxRestarts: number;
  readonly onEvent: (event: EmbeddedDatabaseEvent) => void;
  /** In place of the real thread. */
  readonly start?: (options: DatabaseThreadOptions) => Promise<DatabaseThread>;
  /** In place of the clock. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
}

const FIRST_RETRY_MS = 500;
const MAX_RETRY_MS = 30_000;

/** After how long a failure has nothing to do with the one before. */
const STABLE_MS = 60_000;

/**
 * Starts the database, and starts it again when its thread hangs or ends: PostgreSQL then reads its log, in which all is
 * that was acknowledged. Between failures in a row it waits ever longer.
 *
 * @throws what {@link startDatabaseThread} throws, the first time.
 */
export async function superviseDatabase(options: SupervisorOptions): Promise<SupervisedDatabase> {
  const { onEvent, start = startDatabaseThread, wait = waitFor } = options;
  const closing = new AbortController();
  let { statementLimitMs } = options;
  let failure: string | undefined;
  const startThread = () =>
    start({ ...options, statementLimitMs, onIdleInTransaction: () => onEvent({ type: 'idleInTransaction' }) });
  let thread: DatabaseThread | undefined = await startThread();

  const supervise = async (first: DatabaseThread) => {
    let running: DatabaseThread | undefined = first;
    let failures = 0;
    while (running) {
      const started = performance.now();
      failure = await running.failed;
      await running.ended;
      thread = undefined;
      if (closing.signal.aborted) return;
      // One that starts and soon fails again, as at the next write, waits longer each time, but is not given up.
      if (performance.now() - started > STABLE_MS) failures = 0;
      running = await restart(failures);
      failures += 1;
    }
  };

  const restart = async (earlier: number): Promise<DatabaseThread | undefined> => {
    for (let attempt = 0; attempt < options.maxRestarts; attempt++) {
      const retryMs = Math.min(FIRST_RETRY_MS * 2 ** (earlier + attempt), MAX_RETRY_MS);
      onEvent({ type: 'failed', reason: failure ?? '', retryMs });
      await wait(retryMs, closing.signal);
      if (closing.signal.aborted) return undefined;
      const started = await startThread().catch((error: Error) => error.message);
      if (typeof started === 'string') {
        failure = started;
        continue;
      }
      if (closing.signal.aborted) {
        await started.close();
        return undefined;
      }
      thread = started;
      failure = undefined;
      onEvent({ type: 'recovered' });
      return started;
    }
    onEvent({ type: 'gaveUp', reason: failure ?? '' });
    return undefined;
  };

  const supervised = supervise(thread);
  return {
    failure: () => failure,
    setStatementLimit(ms) {
      statementLimitMs = ms;
      thread?.setStatementLimit(ms);
    },
    async close() {
      closing.abort();
      if (thread) await thread.close();
      else await supervised;
    },
  };
}

/** Resolves early when it is aborted. */
async function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => {});
}
