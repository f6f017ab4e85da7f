import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { backUp, readBackupHeader, restore } from '../../../src/backup/backup.ts';
import { searchColumnsOf } from '../../../src/domain/entities/member.ts';
import { ENTITIES } from '../../../src/domain/entities/registry.ts';
import { normalizeForSearch } from '../../../src/domain/values/search-text.ts';
import { raw, sql } from '../../../src/store/sql.ts';
import { openStore, type Store, type StoreOptions } from '../../../src/store/store.ts';
import { createDatabases } from '../../support/servers/databases.ts';
import { temporaryStores } from '../../support/stores/directories.ts';

const VERSION_1 = ['20261127120000_initial'];

/** The searched fields of members in version 1.0. */
const SEARCHED_IN_1 = ['first_name', 'last_name', 'email_address', 'phone_number', 'address'];

/** The normalization of version 1.0. */
function normalizedIn1(text: string): string {
  const letters: Record<string, string> = {
    Ø: 'O',
    Ł: 'L',
    Đ: 'D',
    Ð: 'D',
    Ħ: 'H',
    Æ: 'AE',
    Œ: 'OE',
    Þ: 'TH',
    ẞ: 'SS',
  };
  return text
    .normalize('NFD')
    .toUpperCase()
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[ØŁĐÐĦÆŒÞẞ]/g, (letter) => letters[letter] as string)
    .replace(/['`´ʹʻʼʽʾʿˈ‘’‛′＇]/g, '')
    .replace(/[\p{Pd}\u2212]/gu, '-')
    .normalize('NFC')
    .replaceAll('\u001f', '\u001e');
}

const fromRanges = (...ranges: [number, number][]) =>
  fc.oneof(...ranges.map(([min, max]) => fc.integer({ min, max }).map((code) => String.fromCodePoint(code))));

/** Words of letters and marks of one script, with invisible characters, apostrophes and dashes of any kind. */
const word = fc
  .constantFrom(
    fromRanges([0x20, 0x17f], [0x300, 0x36f], [0x1e00, 0x1eff]),
    fromRanges([0x370, 0x52f], [0x300, 0x345]),
    fromRanges([0x590, 0x6ff], [0x750, 0x77f], [0x8a0, 0x8ff], [0xfb50, 0xfdff]),
    fromRanges([0x700, 0xdff], [0xe00, 0xeff], [0x1000, 0x109f]),
    fromRanges([0x1100, 0x11ff], [0x3130, 0x318f], [0xac00, 0xd7a3]),
    fromRanges([0x3000, 0x30ff], [0x4e00, 0x9fff], [0xff00, 0xffef], [0x20000, 0x20fff]),
    fromRanges([0x1f300, 0x1faff], [0xfe00, 0xfe2f], [0xe0000, 0xe01ef]),
    fromRanges([0x1, 0x2fff], [0x3000, 0xd7ff], [0xe000, 0xffff], [0x10000, 0x10ffff]),
  )
  .chain((letter) =>
    fc.array(
      fc.oneof({ weight: 9, arbitrary: letter }, fc.constantFrom('\u200b', '\u00ad', '\u200d', '’', '–', '\u0640')),
      {
        minLength: 1,
        maxLength: 8,
      },
    ),
  )
  .map((letters) => letters.join(''));

const MEMBERS = fc.sample(fc.record({ first_name: word, last_name: word, address: fc.option(word) }), {
  numRuns: 600,
  seed: 64,
});

/** A record of each other searched table. */
const OTHER_ROWS = {
  designation: { id: 'a', name: 'أَ' },
  tag: { id: 'a', name: 'أَ', slug: 'a', source: 'admin', privacy: 'public' },
  department: { id: 'a', name: 'أَ' },
  prayer_request: { id: 'a', description: 'أَ', sender: 'a', status: 'pending' },
  form: { id: 1, title: 'أَ', is_published: true, accepting_response: true },
  event: { id: 'a', title: 'أَ', dates: [], participants: 0 },
  service: { id: 'a', title: 'أَ' },
};

const id = 'org_old';

/** Inserts members and a record of every other searched table as version 1.0 stored them. */
async function fill(store: Store): Promise<void> {
  await store.db.rows(sql`INSERT INTO organization (id, name, country) VALUES (${id}, 'Old', 'US')`);
  const rows = MEMBERS.map(({ first_name, last_name, address }, n) => ({
    id: `mem_${n}`,
    slot: 1,
    organization_id: id,
    person_id: `mem_${n}`,
    email_address: `${n}@example.org`,
    ...{ first_name, last_name, address },
    is_guest: false,
    created_at: '2026-01-01T00:00:00Z',
    updated_at: '2026-01-01T00:00:00Z',
    search_text: [first_name, last_name, `${n}@example.org`, '', address ?? ''].map(normalizedIn1).join('\u001f'),
    search_phone: '',
  }));
  const recordset = JSON.stringify(rows);
  await store.db.transaction(async (db) => {
    await db.rows(
      sql`INSERT INTO person (id) SELECT id FROM json_populate_recordset(NULL::person, ${recordset}::json)`,
    );
    await db.rows(sql`
      INSERT INTO email_address (address, person_id)
      SELECT email_address, id FROM json_populate_recordset(NULL::member, ${recordset}::json)`);
    await db.rows(sql`
      INSERT INTO person_organization (person_id, organization_id, slot)
      SELECT person_id, organization_id, slot FROM json_populate_recordset(NULL::person_organization, ${recordset}::json)`);
    const columns = sql`organization_id, id, email_address, first_name, last_name, address, is_guest, created_at,
      updated_at, search_text, search_phone`;
    await db.rows(sql`
      INSERT INTO member (${columns})
      SELECT ${columns} FROM json_populate_recordset(NULL::member, ${recordset}::json)`);
    for (const [table, values] of Object.entries(OTHER_ROWS)) {
      const row = JSON.stringify({ ...values, organization_id: id, search_text: 'أَ' });
      const names = raw(Object.keys(JSON.parse(row)).join(', '));
      await db.rows(sql`
        INSERT INTO ${raw(table)} (${names}) SELECT ${names} FROM json_populate_record(NULL::${raw(table)}, ${row}::json)`);
    }
  });
}

/** Expects that what the migration stored is what the service would store, and that clients see no change of a record. */
async function expectMigrated(store: Store): Promise<void> {
  const members = await store.db.rows<Record<string, unknown>>(sql`
    SELECT first_name, last_name, email_address, phone_number, address, search_text, search_phone,
      sort_name = member_sort_name(search_text) AS sorted, updated_at = '2026-01-01' AS kept
    FROM member WHERE organization_id = ${id} ORDER BY position`);
  expect(members).toHaveLength(MEMBERS.length);
  for (const { sorted, kept, ...member } of members)
    expect(member).toEqual({ ...member, ...searchColumnsOf(member, SEARCHED_IN_1) });
  expect(new Set(members.map(({ sorted, kept }) => sorted && kept))).toEqual(new Set([true]));
  for (const table of Object.keys(OTHER_ROWS)) {
    const [row] = await store.db.rows(sql`SELECT search_text FROM ${raw(table)}`);
    expect([table, row]).toEqual([table, { search_text: normalizeForSearch('أَ') }]);
  }
  const [changes] = await store.db.rows<{ updated: number }>(sql`
    SELECT count(*) FILTER (WHERE operation <> 'created')::int AS updated FROM record_change`);
  expect(changes).toEqual({ updated: 0 });
}

it('cover every searched table of version 1.0', async () => {
  const schema = await readFile(
    new URL(`../../../prisma/migrations/${VERSION_1}/migration.sql`, import.meta.url),
    'utf8',
  );
  const searched = Object.values(ENTITIES).flatMap(({ entity }) =>
    entity.searchedFields.length ? [entity.table] : [],
  );
  expect(new Set(searched.filter((table) => schema.includes(`CREATE TABLE "${table}"`)))).toEqual(
    new Set(['member', ...Object.keys(OTHER_ROWS)]),
  );
});

describe.each(['the embedded database', 'PostgreSQL'])('the search texts of version 1.0 on %s', (kind) => {
  const url = inject('databaseUrl');
  const databases = createDatabases(url ?? '');
  afterAll(() => databases.drop());
  const { folder } = temporaryStores();

  const place = async () => ({
    dataDirectory: await folder(),
    databaseUrl: kind === 'PostgreSQL' ? databases.urlOf(await databases.create()) : undefined,
  });
  const withStore = async <Result>(options: StoreOptions, use: (store: Store) => Promise<Result>): Promise<Result> => {
    const store = await openStore(options);
    return use(store).finally(() => store.close());
  };

  it.skipIf(kind === 'PostgreSQL' && !url)(
    'become what the service stores, in an upgrade and in a restored backup, without a change for clients',
    async () => {
      const [old, restored] = [await place(), await place()];
      const file = join(await folder(), 'backup.gz');
      await withStore({ ...old, migrations: VERSION_1 }, async (store) => {
        await fill(store);
        await backUp(store.pool, file);
      });
      await withStore(old, expectMigrated);
      const { migrations } = await readBackupHeader(file);
      await withStore({ ...restored, migrations }, async (store) => {
        await restore(store.pool, file);
        await expectMigrated(store);
      });
    },
  );
});
