import { readdir, readFile } from 'node:fs/promises';
import { afterEach, describe, expect, inject, it } from 'vitest';
import { searchTextOf } from '../../../src/domain/values/search-text.ts';
import { migrate } from '../../../src/store/migrations/migrate.ts';
import { createDatabases } from '../../support/servers/databases.ts';

const MIGRATIONS = new URL('../../../prisma/migrations/', import.meta.url);
/** The version of Unicode whose capital letters the migration knows; Node.js 24.9 has an older one. */
const UNICODE_VERSION = 17;

const LISTED = '20261122200000_prayer_request_list';

/** Every Unicode character, in texts of four thousand characters. */
const CHARACTERS = Array.from({ length: 0x110 }, (_, block) =>
  Array.from({ length: 0x1000 }, (_, n) => block * 0x1000 + n)
    .filter((point) => point > 0 && (point < 0xd800 || point > 0xdfff))
    .map((point) => String.fromCodePoint(point))
    .join(' '),
).filter((text) => text !== '');

describe.skipIf(!inject('databaseUrl'))('the migration that adds the list of prayer requests', () => {
  const databases = createDatabases(inject('databaseUrl') as string);
  afterEach(() => databases.drop());

  async function databaseBefore() {
    const pool = await databases.create();
    const names = (await readdir(MIGRATIONS)).filter((name) => /^\d/.test(name) && name < LISTED).sort();
    for (const name of names) await pool.query(await readFile(new URL(`${name}/migration.sql`, MIGRATIONS), 'utf8'));
    await pool.query(
      "INSERT INTO organization (id, name, country) VALUES ('org_1', 'One', 'US'), ('org_2', 'Two', 'US')",
    );
    const insert = (organization: string, id: string, title: string | null, description: string) =>
      pool.query(
        'INSERT INTO prayer_request (organization_id, id, title, description, sender) VALUES ($1, $2, $3, $4, $5)',
        [organization, id, title, description, 'Ada'],
      );
    const listed = async () => pool.query(await readFile(new URL(`${LISTED}/migration.sql`, MIGRATIONS), 'utf8'));
    return { pool, insert, listed };
  }

  it('numbers existing ones in the order of their ids, and new ones after them', async () => {
    const { pool, insert, listed } = await databaseBefore();
    await insert('org_1', 'pry_3', null, 'Third');
    await insert('org_2', 'pry_1', null, 'First');
    await insert('org_1', 'pry_2', null, 'Second');
    await listed();
    await insert('org_1', 'pry_0', null, 'New');
    const { rows } = await pool.query('SELECT id FROM prayer_request ORDER BY position');
    expect(rows.map(({ id }) => id)).toEqual(['pry_1', 'pry_2', 'pry_3', 'pry_0']);
  });

  const hasUnicode = Number.parseFloat(process.versions.unicode ?? '') >= UNICODE_VERSION;
  it.skipIf(!hasUnicode)('computes the same search text as the service, for every character', async () => {
    const { pool, insert, listed } = await databaseBefore();
    for (const [n, text] of CHARACTERS.entries()) await insert('org_1', `pry_${n}`, text.slice(0, 50), text);
    await insert('org_1', 'pry_separators', 'A\u001fb', 'Straße\u001f e\u0301');
    await insert('org_1', 'pry_untitled', null, 'Peace');
    await listed();
    const { rows } = await pool.query('SELECT title, description, search_text FROM prayer_request');
    expect(rows).toHaveLength(CHARACTERS.length + 2);
    const wrong = rows.filter(
      ({ title, description, search_text }) => search_text !== searchTextOf(title, description),
    );
    expect(wrong.map(({ title }) => title)).toEqual([]);
  });

  it('is applied by the service to an empty database', async () => {
    const pool = await databases.create();
    expect(await migrate(pool)).toContain(LISTED);
  });
});
