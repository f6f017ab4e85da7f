import { readdir, readFile } from 'node:fs/promises';
import { afterEach, describe, expect, inject, it } from 'vitest';
import { createDatabases } from '../../support/servers/databases.ts';

const MIGRATIONS = new URL('../../../prisma/migrations/', import.meta.url);
const MIGRATION = '20261123121000_operation_usage';

describe.skipIf(!inject('databaseUrl'))('the migration that counts scopes by operation', () => {
  const databases = createDatabases(inject('databaseUrl') as string);
  afterEach(() => databases.drop());

  it('keeps the counts by day, and the start of counting', async () => {
    const pool = await databases.create();
    const apply = async (name: string) =>
      pool.query(await readFile(new URL(`${name}/migration.sql`, MIGRATIONS), 'utf8'));
    const names = (await readdir(MIGRATIONS)).filter((name) => /^\d/.test(name)).sort();
    for (const name of names.filter((name) => name < MIGRATION)) await apply(name);
    await pool.query(`
      INSERT INTO organization (id, name, country) VALUES ('org_1', 'One', 'US');
      INSERT INTO api_key (id, organization_id, name, hash, scopes, created_by, created_at) VALUES
        ('key_old', 'org_1', 'Old', '\\x01', '{tags.view}', 'test', '2020-01-01Z'),
        ('key_new', 'org_1', 'New', '\\x02', '{tags.view}', 'test', '2020-03-01Z');
      INSERT INTO api_key_usage (api_key_id, day) VALUES ('key_old', '2020-02-01'), ('key_old', '2020-02-03');
      INSERT INTO api_key_scope_usage (api_key_id, day, scope, requests) VALUES
        ('key_old', '2020-02-01', 'tags.view', 2), ('key_old', '2020-02-03', 'tags.view', 3)`);
    await apply(MIGRATION);
    const { rows: uses } = await pool.query('SELECT * FROM api_key_operation_usage');
    expect(uses).toEqual([
      {
        api_key_id: 'key_old',
        operation: '',
        scope: 'tags.view',
        requests: '5',
        last_used_at: new Date('2020-02-04T00:00:00Z'),
      },
    ]);
    const { rows: keys } = await pool.query('SELECT scopes_counted_since AS since FROM api_key ORDER BY id');
    expect(keys).toEqual([{ since: new Date('2020-03-01T00:00:00Z') }, { since: new Date('2020-02-02T00:00:00Z') }]);
  });
});
