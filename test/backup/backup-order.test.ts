import { join } from 'node:path';
import type pg from 'pg';
import { expect, it, vi } from 'vitest';
import { backUp } from '../../src/backup/backup.ts';
import { TABLES } from '../../src/backup/tables.ts';
import { createOrganization } from '../../src/domain/admin/organization.ts';
import { temporaryStores } from '../support/stores/directories.ts';

const { folder, open } = temporaryStores();

it('a backup is read in the order of indexes from the embedded database, without sorting whole tables in one statement', async () => {
  const store = await open();
  await createOrganization(store, { name: 'Unsorted', country: 'US' }, 'test');
  const client = await store.pool.connect();
  const { release } = client;
  client.release = () => {};
  const queries = vi.spyOn(client, 'query');
  try {
    await backUp({ connect: async () => client } as unknown as pg.Pool, join(await folder(), 'unsorted.gz'));
    const cursors = queries.mock.calls
      .map(([statement]) => (statement as unknown as pg.QueryConfig).text)
      .filter((text) => text.startsWith('DECLARE'));
    expect(cursors).toHaveLength(TABLES.length);
    await client.query('BEGIN; SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off');
    for (const cursor of cursors) {
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${cursor}`);
      expect(rows[0]?.['QUERY PLAN']).toMatch(/^Index/);
    }
  } finally {
    await client.query('ROLLBACK');
    queries.mockRestore();
    release.call(client);
  }
});
