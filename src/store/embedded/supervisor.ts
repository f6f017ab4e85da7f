import { setTimeout as sleep } from 'node:timers/promises';
import { type DatabaseThreadOptions, runDatabaseThread } from './thread.ts';

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
  /** Sets the time after which a statement counts as hanging. */
  setStatementLimit(ms: number): void;
  /** Shuts PostgreSQL down. */
  close(): Promise<void>;
}

export interface SupervisorOptions
  extends Pick<DatabaseThreadOptions, 'folder' | 'socketPath' | 'idleInTransactionMs'> {
  readonly statementLimitMs: number;
  /** Whether it restarts after a failure. */
  readonly restarts: boolean;
  readonly onEvent: (event: EmbeddedDatabaseEvent) => void;
  /** Replaces the thread in tests. */
  readonly run?: typeof runDatabaseThread;
  /** Replaces the clock in tests. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

const FIRST_RETRY_MS = 500;
const MAX_RETRY_MS = 30_000;

/**
 * A database that ran for longer than this before it failed is restarted after {@link FIRST_RETRY_MS} again. It is long,
 * because a lasting cause, such as a full disk, may show only at the next write.
 */
const STABLE_MS = 60_000;

/** Waits; resolves early when aborted. */
const waitFor = (ms: number, signal: AbortSignal) => sleep(ms, undefined, { signal }).catch(() => {});

/**
 * Starts the database and restarts it when its thread hangs or ends, with increasing delays. PostgreSQL then recovers
 * all acknowledged writes from its log.
 *
 * @returns the database when it listens on its socket.
 * @throws an error with the reason as its message if PostgreSQL cannot start.
 */
export async function superviseDatabase(options: SupervisorOptions): Promise<SupervisedDatabase> {
  const { onEvent, restarts, run = runDatabaseThread, wait = waitFor } = options;
  const closing = new AbortController();
  const { signal } = closing;
  let { statementLimitMs } = options;
  let failure: string | undefined;

  const supervise = async (onFirstStart: () => void) => {
    let [retryMs, isOpen] = [FIRST_RETRY_MS, false];
    for (;;) {
      const startedAt = performance.now();
      await run({
        ...options,
        statementLimitMs: () => statementLimitMs,
        signal,
        onListening() {
          failure = undefined;
          if (isOpen) onEvent({ type: 'recovered' });
          isOpen = true;
          onFirstStart();
        },
        onIdleInTransaction: () => onEvent({ type: 'idleInTransaction' }),
        onFailure(reason) {
          failure = reason;
        },
      });
      if (signal.aborted) return;
      if (!isOpen) throw new Error(failure);
      if (performance.now() - startedAt > STABLE_MS) retryMs = FIRST_RETRY_MS;
      onEvent({ type: 'failed', reason: failure ?? '', retryMs: restarts ? retryMs : undefined });
      if (!restarts) return;
      await wait(retryMs, signal);
      if (signal.aborted) return;
      retryMs = Math.min(2 * retryMs, MAX_RETRY_MS);
    }
  };

  let supervised: Promise<void> | undefined;
  await new Promise<void>((resolve, reject) => {
    supervised = supervise(resolve);
    supervised.catch(reject);
  });
  return {
    failure: () => failure,
    setStatementLimit(ms) {
      statementLimitMs = ms;
    },
    async close() {
      closing.abort();
      await supervised;
    },
  };
}
