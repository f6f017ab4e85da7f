import type pg from 'pg';
import { retryLostRaces } from '../../domain/core/retry.ts';
import { isRowConflict } from '../../store/errors.ts';
import { inTransaction } from '../../store/transaction.ts';
import { type Batch, type DryRunState, LostRaceError } from '../records/batch.ts';

/** The pool, organization and operator of an import's batches. */
export interface BatchRunner {
  readonly pool: pg.Pool;
  readonly organization: Batch['organization'];
  readonly actor: string;
}

/**
 * Runs a batch in one transaction; retries it in a new one when a concurrent write changed the same records.
 */
export async function runBatch<Result>(
  { pool, organization, actor }: BatchRunner,
  work: (batch: Batch) => Promise<Result>,
  dryRun?: DryRunState,
): Promise<Result> {
  const write = async () => {
    try {
      return await inTransaction(pool, 'BEGIN', async (query) => {
        // Every lookup has an index. Sequential scans, chosen while a table is small and kept in cached plans (also
        // those of foreign key checks), would get slower with every batch.
        await query('SET LOCAL enable_seqscan = off');
        const rows: Batch['rows'] = ({ text, values }) => query(text, values);
        return { result: await work({ rows, organization, actor, dryRun }) };
      });
    } catch (error) {
      if (error instanceof LostRaceError) return undefined;
      throw error;
    }
  };
  // A batch looks up every row that it inserts or references, so a constraint violation is a lost race.
  return (await retryLostRaces(write, { isRace: isRowConflict })).result;
}
