import { readdir, readFile } from 'node:fs/promises';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { ENTITIES } from '../../src/domain/entities/registry.ts';
import { createDatabases } from '../support/servers/databases.ts';

const MIGRATIONS = new URL('../../prisma/migrations/', import.meta.url);
const PARTITIONS = 4;

const ENTITY_TABLES = Object.values(ENTITIES).map(({ entity }) => entity.table);

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

/** Partitions every table whose primary key starts with the organization; changes nothing else. */
function partitioned(migration: string): string {
  return migration.replace(
    /(CREATE TABLE "(\w+)" \([^;]*PRIMARY KEY \("organization_id"[^;]*\n\));/g,
    (_, made: string, table: string) =>
      [
        `${made} PARTITION BY HASH ("organization_id");`,
        ...Array.from(
          { length: PARTITIONS },
          (_, n) =>
            `CREATE TABLE "${table}_${n}" PARTITION OF "${table}" FOR VALUES WITH (MODULUS ${PARTITIONS}, REMAINDER ${n});`,
        ),
      ].join('\n'),
  );
}

describe.skipIf(!inject('databaseUrl'))('tables partitioned by organization', () => {
  const databases = createDatabases(inject('databaseUrl') as string);
  let pool: pg.Pool;
  beforeAll(async () => {
    pool = await databases.create();
    const entries = await readdir(MIGRATIONS, { withFileTypes: true });
    for (const { name } of entries.filter((entry) => entry.isDirectory()).sort((a, b) => (a.name < b.name ? -1 : 1))) {
      await pool.query(partitioned(await readFile(new URL(`${name}/migration.sql`, MIGRATIONS), 'utf8')));
    }
  });
  afterAll(() => databases.drop());

  it('support all keys, indexes and constraints of the migrations', async () => {
    const { rows } = await pool.query(
      `SELECT relname AS name FROM pg_class WHERE relkind = 'p' AND relnamespace = 'public'::regnamespace ORDER BY relname`,
    );
    expect(rows.map(({ name }) => name)).toEqual([...ENTITY_TABLES, ...OTHER_TABLES].sort());
  });

  it.each(ENTITY_TABLES.filter((table) => table !== 'form_response'))(
    'read a page of %s from one partition by its index',
    async (table) => {
      const { rows } = await pool.query(
        `EXPLAIN SELECT id FROM ${table} WHERE organization_id = 'org_1' AND position > 7 ORDER BY position LIMIT 25`,
      );
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      expect(plan.match(new RegExp(`on ${table}_\\d `, 'g'))).toHaveLength(1);
      expect(plan).toContain('organization_id_position');
    },
  );
});
