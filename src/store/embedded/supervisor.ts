import { setTimeout as sleep } from 'node:timers/promises';
import { type DatabaseThread, type DatabaseThreadOptions, startDatabaseThread } from './thread.ts';

/** An event of the embedded database while it is open. */
export type EmbeddedDatabaseEvent =
  /** It hung or ended, and pending statements failed. It restarts after `retryMs`. */
  | { readonly type: 'failed'; readonly reason: string; readonly retryMs: number }
  /** It failed too often and does not restart. */
  | { readonly type: 'gaveUp'; readonly reason: string }
  | { readonly type: 'recovered' }
  /** An idle transaction was rolled back and its connection closed while others waited. */
  | { readonly type: 'idleInTransaction' };

/** A database that restarts when its thread fails. */
export interface SupervisedDatabase {
  /** Why it is not running; undefined while it is. */
  failure(): string | undefined;
  setStatementLimit(ms: number): void;
  close(): Promise<void>;
}

export interface SupervisorOptions extends Omit<DatabaseThreadOptions, 'onIdleInTransaction'> {
  /** The maximum number of consecutive failed restarts; with 0 a failure is final. */
  readonly maxRestarts: number;
  readonly onEvent: (event: EmbeddedDatabaseEvent) => void;
  /** Replaces the thread in tests. */
  readonly start?: (options: DatabaseThreadOptions) => Promise<DatabaseThread>;
  /** Replaces the clock in tests. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
}

const FIRST_RETRY_MS = 500;
const MAX_RETRY_MS = 30_000;

/** The time after which a failure does not count as consecutive. */
const STABLE_MS = 60_000;

/**
 * Starts the database and restarts it when its thread hangs or ends, with increasing delays. PostgreSQL then recovers
 * all acknowledged writes from its log.
 *
 * @throws the error of {@link startDatabaseThread} if the first start fails.
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
      // If the database soon fails again, for example at the next write, the failures count as consecutive, and the
      // delay increases.
      if (performance.now() - started > STABLE_MS) failures = 0;
      running = await restart(failures);
      failures += 1;
    }
  };

  const restart = async (earlierFailures: number): Promise<DatabaseThread | undefined> => {
    for (let attempt = 0; attempt < options.maxRestarts; attempt++) {
      const retryMs = Math.min(FIRST_RETRY_MS * 2 ** (earlierFailures + attempt), MAX_RETRY_MS);
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

/** Waits; resolves early when aborted. */
async function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => {});
}
