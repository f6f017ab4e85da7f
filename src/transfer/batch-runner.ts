import type pg from 'pg';
import { type Batch, LostRace, type PlannedRecords } from '../domain/bulk/batch.ts';
import { retryLostRaces } from '../domain/retry.ts';
import { isRowConflict } from '../store/lost-race.ts';
import { inSession } from '../store/session.ts';

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
  planned?: PlannedRecords,
): Promise<Result> {
  const write = async () => {
    try {
      return await inSession(pool, 'BEGIN', async (session) => {
        // Every lookup has its index. A plan that reads a whole table because that is small still (the plans of
        // foreign keys too, which a connection keeps) would cost more with every batch.
        await session('SET LOCAL enable_seqscan = off');
        const rows: Batch['rows'] = ({ text, values }) => session(text, values);
        return { result: await work({ rows, organization, actor, planned }) };
      });
    } catch (error) {
      if (error instanceof LostRace) return undefined;
      throw error;
    }
  };
  // Every row that a batch makes or refers to was looked for before.
  return (await retryLostRaces(write, { isRace: isRowConflict })).result;
}
