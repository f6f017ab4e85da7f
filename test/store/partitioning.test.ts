import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { seedDemo } from '../../src/demo/demo.ts';
import { ENTITIES } from '../../src/domain/entities/registry.ts';
import { migrate, runOutsideTransaction } from '../../src/store/migrations/migrate.ts';
import { openStore } from '../../src/store/store.ts';
import { createDatabases } from '../support/servers/databases.ts';
import { fill, holdingsOf } from '../support/servers/full-store.ts';

const FIRST_MIGRATION = '20261127120000_initial';

const FIRST_TABLES = readFileSync(
  new URL(`../../prisma/migrations/${FIRST_MIGRATION}/migration.sql`, import.meta.url),
  'utf8',
);

/** The tables of entities that the first schema has. */
const ENTITY_TABLES = Object.values(ENTITIES)
  .map(({ entity }) => entity.table)
  .filter((table) => FIRST_TABLES.includes(`CREATE TABLE "${table}"`));

/** The other tables whose primary key starts with the organization. */
const OTHER_TABLES = [
  'audit_entry',
  'department_member',
  'external_id',
  'form_field',
  'idempotency_record',
  'import_progress',
  'member_tag',
  'organization_counter',
  'record_change',
];

/** The script of docs/scaling.md, with the number of partitions. */
async function script(partitions: number): Promise<string> {
  const text = await readFile(new URL('../../docs/examples/partition.sql', import.meta.url), 'utf8');
  return text.replace(":'partitions'", `'${partitions}'`);
}

/** The definitions of keys, checks, indexes and triggers of all tables, without those of partitions. */
const DEFINITIONS = `
  SELECT conrelid::regclass::text AS table, conname AS name, pg_get_constraintdef(oid) AS definition FROM pg_constraint
  WHERE connamespace = 'public'::regnamespace AND conparentid = 0 AND contype <> 'n'
    AND NOT (SELECT relispartition FROM pg_class WHERE oid = conrelid)
  UNION ALL
  SELECT indrelid::regclass::text, indexrelid::regclass::text, replace(pg_get_indexdef(indexrelid), ' ONLY ', ' ') FROM pg_index
  JOIN pg_class c ON c.oid = indexrelid
  WHERE c.relnamespace = 'public'::regnamespace AND NOT c.relispartition
  UNION ALL
  SELECT tgrelid::regclass::text, tgname, pg_get_triggerdef(oid) FROM pg_trigger
  WHERE NOT tgisinternal AND NOT (SELECT relispartition FROM pg_class WHERE oid = tgrelid)
  ORDER BY 1, 2, 3`;

describe.skipIf(!inject('databaseUrl'))('tables partitioned by organization', () => {
  const databases = createDatabases(inject('databaseUrl') as string);
  afterAll(() => databases.drop());

  /** Partitioned when they had the first schema and no rows, and migrated afterwards. */
  let pool: pg.Pool;
  beforeAll(async () => {
    pool = await databases.create();
    await migrate(pool, (name) => name === FIRST_MIGRATION);
    await pool.query(await script(4));
  });

  it('are those of the entities, and all others with the organization in their keys', async () => {
    const { rows } = await pool.query(
      `SELECT relname AS name FROM pg_class WHERE relkind = 'p' AND relnamespace = 'public'::regnamespace ORDER BY relname`,
    );
    expect(rows.map(({ name }) => name)).toEqual([...ENTITY_TABLES, ...OTHER_TABLES].sort());
  });

  it('accept the migrations of later versions, and have the keys, indexes and triggers of other databases', async () => {
    const applied = await migrate(pool);
    expect(applied.length).toBeGreaterThan(0);
    expect(await migrate(pool)).toEqual([]);
    const plain = await databases.create(inject('migratedDatabase'));
    const withoutPartitions = (rows: { table: string }[]) => rows.filter((row) => !/_\d+$/.test(row.table));
    expect(withoutPartitions((await pool.query(DEFINITIONS)).rows)).toEqual((await plain.query(DEFINITIONS)).rows);
  });

  it('get an index of a migration that would be built concurrently, or keep the one that was built by hand before', async () => {
    const index = (name: string) => `CREATE INDEX CONCURRENTLY "${name}" ON "member" ("organization_id", "city");`;
    const indexes = async () =>
      (
        await pool.query(
          `SELECT relname AS name, indexrelid AS id FROM pg_index JOIN pg_class c ON c.oid = indexrelid
           WHERE indrelid = 'member'::regclass AND indisvalid AND relname LIKE 'member_city%' ORDER BY relname`,
        )
      ).rows;
    await runOutsideTransaction(pool, index('member_city_idx'));
    expect(await indexes()).toMatchObject([{ name: 'member_city_idx' }]);
    await pool.query('CREATE INDEX member_city_by_hand_idx ON ONLY member (organization_id, city)');
    for (const n of [0, 1, 2, 3]) {
      await pool.query(`CREATE INDEX CONCURRENTLY by_hand_${n} ON member_${n} (organization_id, city)`);
      await pool.query(`ALTER INDEX member_city_by_hand_idx ATTACH PARTITION by_hand_${n}`);
    }
    const before = await indexes();
    await runOutsideTransaction(pool, index('member_city_by_hand_idx'));
    expect(await indexes()).toEqual(before);
    await pool.query('DROP INDEX member_city_idx, member_city_by_hand_idx');
  });

  it('keep their rows, serve requests and refuse changes of the audit', async () => {
    const filled = await databases.create();
    const store = await openStore({ databaseUrl: databases.urlOf(filled), dataDirectory: '' });
    try {
      await fill({ store, dataDirectory: inject('dataDirectory') });
      const before = await holdingsOf(filled);
      await filled.query(await script(3));
      expect(await holdingsOf(filled)).toEqual(before);
      await seedDemo(store, inject('dataDirectory'), 'test');
      const { tables } = await holdingsOf(filled);
      expect(tables.audit_entry?.rows).toBeGreaterThan(before.tables.audit_entry?.rows as number);
      expect(tables.member).toMatchObject({ rows: before.tables.member?.rows });
      for (const change of ['DELETE FROM audit_entry', 'TRUNCATE audit_entry', 'TRUNCATE audit_entry_1'])
        await expect(filled.query(change)).rejects.toThrow('append-only');
    } finally {
      await store.close();
    }
  });

  it.each(ENTITY_TABLES.filter((table) => table !== 'form_response'))(
    'read a page of %s from one partition by its index',
    async (table) => {
      // The tables are empty, so PostgreSQL would not use their indexes.
      const planner = await databases.connect(pool, { options: '-c enable_seqscan=off' });
      const { rows } = await planner.query(
        `EXPLAIN SELECT id FROM ${table} WHERE organization_id = 'org_1' AND position > 7 ORDER BY position LIMIT 25`,
      );
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      expect(plan.match(new RegExp(`on ${table}_\\d `, 'g'))).toHaveLength(1);
      expect(plan).toContain('organization_id_position');
    },
  );
});
