import { setTimeout as sleep } from 'node:timers/promises';
import { type DatabaseOptions, runDatabaseThread, type ThreadMessage } from './thread.ts';

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
