import { expect, it } from 'vitest';
import { readContents } from '../../src/backup/dump.ts';
import { TABLES } from '../../src/backup/tables.ts';
import { inTransaction } from '../../src/store/connections/transaction.ts';
import { onEmbeddedStore } from '../support/service.ts';

onEmbeddedStore((service) => {
  it('a backup is read in the order of indexes, without sorting whole tables in one statement', async () => {
    const plans = await inTransaction(
      service.store.pool,
      'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY',
      async (query) => {
        const found: string[] = [];
        // Other tests leave few rows, for which PostgreSQL could choose to sort: this shows whether there is an index.
        for (const method of ['seqscan', 'bitmapscan', 'sort', 'incremental_sort'])
          await query(`SET LOCAL enable_${method} = off`);
        // Instead of the rows of each cursor, reads its plan.
        await readContents(async <Row>(text: string, values?: readonly unknown[]): Promise<Row[]> => {
          if (/^(FETCH|CLOSE)/.test(text)) return [];
          if (!text.startsWith('DECLARE')) return query<Row>(text, values);
          const [plan] = await query<{ 'QUERY PLAN': string }>(`EXPLAIN ${text}`);
          found.push(plan?.['QUERY PLAN'] ?? '');
          return [];
        });
        return found;
      },
    );
    expect(plans).toEqual(TABLES.map(() => expect.stringMatching(/^Index/)));
  });
});
