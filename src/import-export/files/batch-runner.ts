import type pg from 'pg';
import { retryLostRaces } from '../../domain/core/retry.ts';
import { isRowConflict } from '../../store/lost-race.ts';
import { inTransaction } from '../../store/transaction.ts';
import { type Batch, type DryRunState, LostRaceError } from '../records/batch.ts';

/** Where batches run, for whom and by whom. */
export interface BatchRunner {
  readonly pool: pg.Pool;
  readonly organization: Batch['organization'];
  readonly actor: string;
}

/**
 * Runs a batch in one transaction; again, on a fresh view of the data, when something else changed the
 * same records meanwhile.
 */
export async function runBatch<Result>(
  { pool, organization, actor }: BatchRunner,
  work: (batch: Batch) => Promise<Result>,
  planned?: DryRunState,
): Promise<Result> {
  const write = async () => {
    try {
      return await inTransaction(pool, 'BEGIN', async (query) => {
        // Every lookup has its index. A plan that reads a whole table because that is small still (the plans of
        // foreign keys too, which a connection keeps) would cost more with every batch.
        await query('SET LOCAL enable_seqscan = off');
        const rows: Batch['rows'] = ({ text, values }) => query(text, values);
        return { result: await work({ rows, organization, actor, planned }) };
      });
    } catch (error) {
      if (error instanceof LostRaceError) return undefined;
      throw error;
    }
  };
  // Every row that a batch makes or refers to was looked for before.
  return (await retryLostRaces(write, { isRace: isRowConflict })).result;
}
