import { expect, it } from 'vitest';
import { KEYS, referencesTo } from '../../../src/import-export/records/undo-changes.ts';
import { RESOURCES } from '../../../src/import-export/resources/registry.ts';
import { sql } from '../../../src/store/sql.ts';
import { onOneDatabase } from '../../support/service.ts';

/** Tables of persons, whose rows are removed with the last member. */
const OF_PERSONS = ['person', 'email_address', 'person_organization'];

/** The tables whose changes are stored. */
const TABLES = [...new Set(RESOURCES.flatMap(({ tables }) => tables))].filter((name) => !OF_PERSONS.includes(name));

onOneDatabase((service) => {
  it('an undo knows every foreign key to a record that an import creates', async () => {
    const keys = await service.store.db.rows<{ target: string; table: string; column: string }>(sql`
      SELECT DISTINCT f.confrelid::regclass::text AS target, f.conrelid::regclass::text AS "table", a.attname::text AS "column"
      FROM pg_constraint f JOIN pg_attribute a ON a.attrelid = f.conrelid AND a.attnum = ANY(f.conkey)
      WHERE f.contype = 'f' AND f.confrelid::regclass::text = ANY(${TABLES}::text[]) AND a.attname <> 'organization_id'`);
    const known = TABLES.flatMap((target) =>
      referencesTo(target).map(([table, column]) => ({ target, table, column })),
    );
    const text = (list: typeof keys) =>
      list.map(({ target, table, column }) => `${table}.${column} → ${target}`).sort();
    expect(text(known)).toEqual(text(keys));
  });

  it('an undo knows the primary key of each table that an import writes, and triggers store its changes', async () => {
    const tables = await service.store.db.rows<{ name: string; key: string[]; triggers: string[] }>(sql`
      SELECT c.relname AS name,
        array(SELECT a.attname::text FROM pg_attribute a WHERE a.attrelid = i.indrelid AND a.attnum = ANY(i.indkey)
          AND a.attname <> 'organization_id' ORDER BY array_position(i.indkey::int2[], a.attnum)) AS key,
        array(SELECT t.tgname::text FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid
          WHERE t.tgrelid = c.oid AND p.proname = 'insert_import_changes' ORDER BY 1) AS triggers
      FROM pg_class c JOIN pg_index i ON i.indrelid = c.oid AND i.indisprimary
      WHERE c.relname = ANY(${TABLES}::text[]) AND c.relnamespace = current_schema()::regnamespace`);
    const expected = TABLES.map((name) => ({
      name,
      key: KEYS[name] ?? ['id'],
      // Imports insert and delete rows of links, but update none.
      triggers: KEYS[name] ? [`${name}_imported`] : [`${name}_import_updated`, `${name}_imported`],
    }));
    const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1);
    expect(tables.sort(byName)).toEqual(expected.sort(byName));
  });
});
