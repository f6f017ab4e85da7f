import { readdir, readFile } from 'node:fs/promises';
import { afterEach, describe, expect, inject, it } from 'vitest';
import { createDatabases } from '../../support/servers/databases.ts';

const MIGRATIONS = new URL('../../../prisma/migrations/', import.meta.url);
const MIGRATION = '20261123100000_member_position_of_links';

describe.skipIf(!inject('databaseUrl'))('the migration that copies positions of members to their links', () => {
  const databases = createDatabases(inject('databaseUrl') as string);
  afterEach(() => databases.drop());

  it('sets positions of existing and new links in the order of members, without changing the feed', async () => {
    const pool = await databases.create();
    const apply = async (name: string) =>
      pool.query(await readFile(new URL(`${name}/migration.sql`, MIGRATIONS), 'utf8'));
    const names = (await readdir(MIGRATIONS)).filter((name) => /^\d/.test(name)).sort();
    for (const name of names.filter((name) => name < MIGRATION)) await apply(name);
    for (const organization of ['org_1', 'org_2']) {
      await pool.query(`
        INSERT INTO organization (id, name, country) VALUES ('${organization}', 'One', 'US');
        INSERT INTO tag (organization_id, id, name, slug, search_text)
        VALUES ('${organization}', 'tag_${organization}', 'Choir', 'choir', 'CHOIR');
        INSERT INTO department (organization_id, id, name, search_text)
        VALUES ('${organization}', 'dep_${organization}', 'Music', 'MUSIC')`);
    }
    await pool.query(`INSERT INTO person (id) VALUES ('mem_1'), ('mem_2'), ('mem_3')`);
    // The same persons in both organizations, in opposite orders.
    const members = ['org_1 mem_1', 'org_1 mem_2', 'org_2 mem_2', 'org_2 mem_1', 'org_1 mem_3'];
    for (const [organization, id] of members.map((member) => member.split(' '))) {
      await pool.query(`
        INSERT INTO email_address (address, person_id) VALUES ('${id}@${organization}.example', '${id}');
        INSERT INTO person_organization (person_id, slot, organization_id)
        VALUES ('${id}', ${organization === 'org_1' ? 1 : 2}, '${organization}');
        INSERT INTO member (organization_id, id, first_name, last_name, email_address, search_text, search_phone)
        VALUES ('${organization}', '${id}', 'A', 'B', '${id}@${organization}.example', '', '')`);
    }
    const link = (organization: string, id: string) =>
      pool.query(`
        INSERT INTO member_tag (organization_id, member_id, tag_id) VALUES ('${organization}', '${id}', 'tag_${organization}');
        INSERT INTO department_member (organization_id, member_id, department_id)
        VALUES ('${organization}', '${id}', 'dep_${organization}')`);
    for (const [organization, id] of [
      ['org_1', 'mem_2'],
      ['org_1', 'mem_1'],
      ['org_2', 'mem_1'],
      ['org_2', 'mem_2'],
    ] as const) {
      await link(organization, id);
    }
    const changes = async () => (await pool.query('SELECT * FROM record_change ORDER BY position')).rows;
    const before = await changes();
    await apply(MIGRATION);
    expect(await changes()).toEqual(before);
    await link('org_1', 'mem_3');
    const { rows } = await pool.query(`
      SELECT kind, l.organization_id || ' ' || l.member_id AS link, l.member_position = m.position AS is_right
      FROM (
        SELECT 'tag' AS kind, organization_id, member_id, member_position FROM member_tag
        UNION ALL SELECT 'department', organization_id, member_id, member_position FROM department_member
      ) l JOIN member m USING (organization_id) WHERE m.id = l.member_id ORDER BY l.member_position, kind DESC`);
    expect(rows).toEqual(
      members.flatMap((link) => ['tag', 'department'].map((kind) => ({ kind, link, is_right: true }))),
    );
  });
});
