import type pg from 'pg';
import { lockCounter } from '../../domain/core/counter.ts';
import { retryLostRaces } from '../../domain/core/retry.ts';
import { isRowConflict } from '../../store/errors.ts';
import { sqlName } from '../../store/sql.ts';
import { inTransaction } from '../../store/transaction.ts';
import { type Batch, LostRaceError } from '../records/batch.ts';

export interface BatchRunner
  extends Pick<Batch, 'organization' | 'actor' | 'source' | 'trustsAddresses' | 'fillEmail'> {
  readonly pool: pg.Pool;
  /** The schema of the tables that a dry run writes; absent for those of the service. */
  readonly schema?: string;
}

/**
 * Runs a batch in one transaction. If a concurrent write changes the same records, runs it again in a new transaction.
 *
 * @param options the properties of the batch that differ between the batches of a file.
 */
export async function runBatch<Result>(
  { pool, schema, ...common }: BatchRunner,
  work: (batch: Batch) => Promise<Result>,
  options: Partial<Pick<Batch, 'addresses' | 'canWait'>> = {},
): Promise<Result> {
  const write = () =>
    inTransaction(pool, 'BEGIN', async (run) => {
      // Without other schemas: a statement for a table that was not copied must fail.
      if (schema !== undefined) await run(`SET LOCAL search_path = ${sqlName(schema).text}`);
      // Every lookup has an index. PostgreSQL would choose sequential scans while a table is small, and keep them in
      // cached plans (also in those of foreign key checks), so that each batch would be slower than the previous one.
      await run('SET LOCAL enable_seqscan = off');
      const query: Batch['query'] = ({ text, values }) => run(text, values);
      await query(lockCounter(common.organization.id));
      // Wrapped, because `retryLostRaces` runs a write that returns undefined again.
      return { result: await work({ canWait: false, ...common, ...options, query }) };
    });
  // A batch looks up every row that it inserts or references, so a constraint violation means that a concurrent write
  // was first.
  const isRace = (error: unknown) => error instanceof LostRaceError || isRowConflict(error);
  return (await retryLostRaces(write, { isRace })).result;
}
