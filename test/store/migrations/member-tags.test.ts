import { readdir, readFile } from 'node:fs/promises';
import { afterEach, describe, expect, inject, it } from 'vitest';
import { createDatabases } from '../../support/servers/databases.ts';

const MIGRATIONS = new URL('../../../prisma/migrations/', import.meta.url);
const ORDERED = '20261122200100_member_tag_position';

describe.skipIf(!inject('databaseUrl'))('the migration that adds positions to tags of members', () => {
  const databases = createDatabases(inject('databaseUrl') as string);
  afterEach(() => databases.drop());

  it('numbers existing tags by time, then by member position, and new ones after them', async () => {
    const pool = await databases.create();
    const apply = async (name: string) =>
      pool.query(await readFile(new URL(`${name}/migration.sql`, MIGRATIONS), 'utf8'));
    const names = (await readdir(MIGRATIONS)).filter((name) => /^\d/.test(name)).sort();
    for (const name of names.filter((name) => name < ORDERED)) await apply(name);
    await pool.query(`
      INSERT INTO organization (id, name, country) VALUES ('org_1', 'One', 'US');
      INSERT INTO tag (organization_id, id, name, slug, search_text) VALUES ('org_1', 'tag_1', 'Choir', 'choir', 'CHOIR')`);
    for (const id of ['mem_3', 'mem_1', 'mem_2', 'mem_4']) {
      await pool.query(`
        INSERT INTO person (id) VALUES ('${id}');
        INSERT INTO email_address (address, person_id) VALUES ('${id}@example.org', '${id}');
        INSERT INTO person_organization (person_id, slot, organization_id) VALUES ('${id}', 1, 'org_1');
        INSERT INTO member (organization_id, id, first_name, last_name, email_address, search_text, search_phone)
        VALUES ('org_1', '${id}', 'A', 'B', '${id}@example.org', '', '')`);
    }
    const add = (id: string, time: string) =>
      pool.query(
        "INSERT INTO member_tag (organization_id, member_id, tag_id, created_at) VALUES ('org_1', $1, 'tag_1', $2)",
        [id, time],
      );
    await add('mem_1', '2026-01-02');
    await add('mem_3', '2026-01-02');
    await add('mem_2', '2026-01-01');
    await apply(ORDERED);
    await add('mem_4', '2025-01-01');
    const { rows } = await pool.query('SELECT member_id FROM member_tag ORDER BY position');
    expect(rows.map(({ member_id }) => member_id)).toEqual(['mem_2', 'mem_3', 'mem_1', 'mem_4']);
  });
});
