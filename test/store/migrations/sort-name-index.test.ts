import pg from 'pg';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { migrate } from '../../../src/store/migrations/migrate.ts';
import { createDatabases } from '../../support/servers/databases.ts';

describe.skipIf(!inject('databaseUrl'))('a session that has run all migrations', () => {
  const databases = createDatabases(inject('databaseUrl') as string);
  afterAll(() => databases.drop());

  it('uses the index on sort names', async () => {
    const created = await databases.create();
    const session = new pg.Pool({ connectionString: databases.urlOf(created), max: 1 });
    try {
      await migrate(session);
      await session.query('SET enable_seqscan = off; SET enable_sort = off');
      const { rows } = await session.query(`
        EXPLAIN SELECT id FROM member WHERE organization_id = 'org_1'
        ORDER BY member_sort_name(search_text) COLLATE "C", position LIMIT 26`);
      expect(JSON.stringify(rows)).toContain('Index Scan using member_name_idx');
    } finally {
      await session.end();
    }
  });
});
