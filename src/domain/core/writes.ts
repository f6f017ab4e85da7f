import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../store/database.ts';
import { isDeadlockOrSerializationFailure } from '../../store/errors.ts';
import { join, raw, type Sql, sql } from '../../store/sql.ts';
import type { Context } from './context.ts';
import { ServiceError } from './errors.ts';

// Each organization has one counter. The positions of its records and the numbers of its changes are numbers of this
// counter. A transaction that writes records locks the counter before it reads or locks records, and holds it until it
// ends. The order of numbers is therefore the order of commits: a transaction that can see a number can also see all
// smaller ones.

/**
 * Returns the SQL that takes numbers of an organization, and locks its counter until the transaction ends. Its only row
 * has the column `previous_number`, which the numbers follow.
 */
export function takeNumbers(organizationId: string, count: number): Sql {
  return sql`
    UPDATE organization_counter SET last_number = last_number + ${count}::int
    WHERE organization_id = ${organizationId} RETURNING last_number - ${count}::int AS previous_number`;
}

/**
 * Returns the SQL that locks the counter of an organization until the transaction ends. Run it first in a transaction that
 * updates or removes records: triggers take the numbers of these changes.
 */
export function lockCounter(organizationId: string): Sql {
  return sql`SELECT FROM organization_counter WHERE organization_id = ${organizationId} FOR NO KEY UPDATE`;
}

/** Each lost race means that another request made progress; this many in a row indicate a fault. */
const MAX_ATTEMPTS = 20;

/** The maximum pause before the second attempt. It doubles with each further attempt. */
const FIRST_PAUSE_MS = 4;
const MAX_PAUSE_MS = 100;

interface RetryOptions {
  /** Whether an error is caused by a concurrent write; deadlocks and serialization failures always are. */
  readonly isRace?: (error: unknown) => boolean;
  /** Replaces the timer in tests. */
  readonly wait?: (ms: number) => Promise<unknown>;
}

/**
 * Runs a write, and retries it if it lost a race against a concurrent write: if it returns `undefined`, is aborted by a
 * deadlock or serialization failure, or throws an error for which `isRace` is true. Retries wait with random backoff, so that
 * the same writes do not collide again.
 *
 * @throws {ServiceError} `unavailable` after `MAX_ATTEMPTS`, with the last error as its cause; other errors immediately.
 */
export async function retryLostRaces<Result>(
  write: () => Promise<Result | undefined>,
  { isRace = () => false, wait = sleep }: RetryOptions = {},
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    let cause: unknown;
    try {
      const result = await write();
      if (result !== undefined) return result;
    } catch (error) {
      if (!(isDeadlockOrSerializationFailure(error) || isRace(error))) throw error;
      cause = error;
    }
    // Not the error itself: a constraint violation would become `internal_error`, although a retry may succeed.
    if (attempt === MAX_ATTEMPTS) {
      throw Object.assign(new ServiceError('unavailable', 'Too many concurrent changes; try again'), { cause });
    }
    await wait(Math.random() * Math.min(FIRST_PAUSE_MS * 2 ** (attempt - 1), MAX_PAUSE_MS));
  }
}

/** Runs a write with a transaction as the database of its context, and retries it as {@link retryLostRaces} does. */
export function writeInTransaction<Result>(
  context: Context,
  write: (inTransaction: Context) => Promise<Result | undefined>,
  options?: RetryOptions,
): Promise<Result> {
  return retryLostRaces(() => context.db.transaction((db) => write({ ...context, db })), options);
}

/** Rows of a table that are deleted when they are old. */
interface OldRows {
  readonly table: string;
  /** The columns of the primary key. */
  readonly key: readonly string[];
  /** The condition that a row `t` is old. */
  readonly condition: Sql;
  /** The column with their age. */
  readonly oldestBy: string;
}

/** Deletes old rows in batches, the oldest first. Rows that another instance is deleting are skipped. */
export function purgeOldRows(db: Database, { table, key, condition, oldestBy }: OldRows): Promise<void> {
  const columns = key.map((name) => raw(`t.${name}`));
  return purgeInBatches(
    db,
    (limit) => sql`
      WITH old AS MATERIALIZED (
        SELECT ${join(columns)} FROM ${raw(table)} t WHERE ${condition}
        ORDER BY ${raw(oldestBy)} LIMIT ${limit} FOR UPDATE SKIP LOCKED
      )
      DELETE FROM ${raw(table)} t USING old WHERE (${join(columns)}) = (${raw(key.map((name) => `old.${name}`).join())})
      RETURNING 1`,
  );
}

/** Small enough for a statement to finish within the statement timeout. */
const BATCH_ROWS = 1_000;

/**
 * Deletes rows in batches, so that no statement exceeds the statement timeout.
 *
 * @param deleteBatch returns a DELETE statement of at most `limit` rows, which returns a row for each.
 */
export async function purgeInBatches(db: Database, deleteBatch: (limit: Sql) => Sql): Promise<void> {
  for (;;) {
    const deleted = await db.write(deleteBatch(sql`${BATCH_ROWS}::int`));
    if (deleted.length < BATCH_ROWS) return;
  }
}
