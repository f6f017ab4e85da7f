import { setTimeout as sleep } from 'node:timers/promises';
import { type DatabaseThread, type DatabaseThreadOptions, startDatabaseThread } from './thread.ts';

/** An event of the embedded database while it is open. */
export type EmbeddedDatabaseEvent =
  /** It hung or ended, and pending statements failed. It restarts after `retryMs`; undefined if it does not. */
  | { readonly type: 'failed'; readonly reason: string; readonly retryMs: number | undefined }
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
  /** Whether it restarts after a failure. */
  readonly restarts: boolean;
  readonly onEvent: (event: EmbeddedDatabaseEvent) => void;
  /** Replaces the thread in tests. */
  readonly start?: (options: DatabaseThreadOptions) => Promise<DatabaseThread>;
  /** Replaces the clock in tests. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
}

const FIRST_RETRY_MS = 500;
const MAX_RETRY_MS = 30_000;

/** The time after which a failure does not count as consecutive: it may occur at the next write after a restart. */
const STABLE_MS = 60_000;

/**
 * Starts the database and restarts it when its thread hangs or ends, with increasing delays. PostgreSQL then recovers
 * all acknowledged writes from its log.
 *
 * @throws the error of {@link startDatabaseThread} if the first start fails.
 */
export async function superviseDatabase(options: SupervisorOptions): Promise<SupervisedDatabase> {
  const { onEvent, restarts, start = startDatabaseThread, wait = waitFor } = options;
  const closing = new AbortController();
  let { statementLimitMs } = options;
  let failure: string | undefined;
  const startThread = () =>
    start({ ...options, statementLimitMs, onIdleInTransaction: () => onEvent({ type: 'idleInTransaction' }) });
  let thread: DatabaseThread | undefined = await startThread();

  const supervise = async () => {
    let retryMs = FIRST_RETRY_MS;
    let started = performance.now();
    for (;;) {
      if (thread) {
        failure = await thread.failed;
        await thread.ended;
        thread = undefined;
        if (performance.now() - started > STABLE_MS) retryMs = FIRST_RETRY_MS;
      }
      if (closing.signal.aborted) return;
      onEvent({ type: 'failed', reason: failure ?? '', retryMs: restarts ? retryMs : undefined });
      if (!restarts) return;
      await wait(retryMs, closing.signal);
      if (closing.signal.aborted) return;
      retryMs = Math.min(2 * retryMs, MAX_RETRY_MS);
      started = performance.now();
      try {
        thread = await startThread();
      } catch (error) {
        failure = (error as Error).message;
        continue;
      }
      if (closing.signal.aborted) return thread.close();
      failure = undefined;
      onEvent({ type: 'recovered' });
    }
  };

  const supervised = supervise();
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
