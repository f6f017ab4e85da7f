import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { LastingFault } from '../observability/lasting-fault.ts';
import type { Settings } from '../settings.ts';
import { isStoreUnreachable } from '../store/errors.ts';
import { MigrationError } from '../store/migrations/migrate.ts';
import { openStore, type Store } from '../store/store.ts';
import { reportMigrations } from './progress.ts';

/** How long to wait for a command that owns the embedded database. */
const COMMAND_WAIT_MS = 5_000;

/** The interval between attempts to connect to a server. */
const RETRY_INTERVAL_MS = 500;

/** After this time, a statement on the embedded database counts as hanging. No statement of a request takes this long. */
const EMBEDDED_STATEMENT_LIMIT_MS = 15_000;

/**
 * Opens as many connections as pools may have, so that the first requests do not wait for them. Those that fail are opened
 * when they are needed.
 */
async function openConnections(pools: readonly pg.Pool[]): Promise<void> {
  const opening = pools.flatMap((pool) => Array.from({ length: pool.options.max }, () => pool.connect()));
  for (const opened of await Promise.allSettled(opening)) if (opened.status === 'fulfilled') opened.value.release();
}

/**
 * Opens the store of the service, and migrates its schema unless the settings forbid it. Retries while a server is
 * unreachable, and opens all connections to it.
 *
 * @throws the errors of {@link openStore} that are not outages of a server.
 */
export async function openServiceStore(settings: Settings, log: Logger, fault: LastingFault): Promise<Store> {
  const applied: string[] = [];
  for (;;) {
    try {
      const store = await openStore({
        ...settings,
        timeouts: 'request',
        waitMs: COMMAND_WAIT_MS,
        embedded: {
          statementLimitMs: () => EMBEDDED_STATEMENT_LIMIT_MS,
          onFailure: (reason) => fault.report(new Error(reason)),
          onIdleInTransaction: () =>
            log.warn('an idle transaction was rolled back and its connection closed, because others waited'),
        },
        schema: settings.migrateOnStart ? 'migrate' : 'require',
        onNewerSchema: (message) => log.warn(message),
        onMigration: (name) => applied.push(name),
        onServerChange: (server) => log.warn({ server }, 'switched to another PostgreSQL server'),
      });
      if (settings.databaseUrl) await openConnections(store.pools);
      reportMigrations(applied, log);
      fault.end();
      return store;
    } catch (error) {
      const reason = error instanceof MigrationError ? error.cause : error;
      if (!settings.databaseUrl || !isStoreUnreachable(reason)) throw error;
      fault.report(reason);
      await sleep(RETRY_INTERVAL_MS);
    }
  }
}
