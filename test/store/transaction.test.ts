import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { inTransaction } from '../../src/store/connections/transaction.ts';
import { createTestPool } from '../support/servers/databases.ts';

describe.skipIf(!inject('databaseUrl'))('a transaction of a command', () => {
  it('fails if COMMIT rolls back, because the error of a statement was ignored', async () => {
    const pool = createTestPool({ connectionString: inject('databaseUrl') as string, max: 1 });
    onTestFinished(() => pool.end());
    const ignoring = inTransaction(pool, 'BEGIN', async (query) => {
      await query('SELECT 1 / 0').catch(() => {});
    });
    await expect(ignoring).rejects.toThrow('was rolled back, because a statement had failed');
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  });
});
