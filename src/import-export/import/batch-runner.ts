import type pg from 'pg';
import { retryLostRaces } from '../../domain/core/retry.ts';
import { isRowConflict } from '../../store/errors.ts';
import { inTransaction } from '../../store/transaction.ts';
import { type Batch, LostRaceError } from '../records/batch.ts';
import type { DryRunState } from '../records/dry-run-state.ts';

/** The parts that all batches of an import have in common. */
export interface BatchRunner {
  readonly pool: pg.Pool;
  readonly organization: Batch['organization'];
  readonly actor: string;
}

/**
 * Runs a batch in one transaction. If a concurrent write changes the same records, runs it again in a new transaction.
 */
export async function runBatch<Result>(
  { pool, organization, actor }: BatchRunner,
  work: (batch: Batch) => Promise<Result>,
  dryRun?: DryRunState,
): Promise<Result> {
  const write = async () => {
    try {
      return await inTransaction(pool, 'BEGIN', async (run) => {
        // Every lookup has an index. PostgreSQL would choose sequential scans while a table is small, and keep them in
        // cached plans (also in those of foreign key checks), so that each batch would be slower than the previous one.
        await run('SET LOCAL enable_seqscan = off');
        const query: Batch['query'] = ({ text, values }) => run(text, values);
        return { result: await work({ query, organization, actor, dryRun }) };
      });
    } catch (error) {
      if (error instanceof LostRaceError) return undefined;
      throw error;
    }
  };
  // A batch looks up every row that it inserts or references, so a constraint violation means that a concurrent write
  // was first.
  return (await retryLostRaces(write, { isRace: isRowConflict })).result;
}
