import { readFile } from 'node:fs/promises';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { migrate } from '../../../src/store/migrations/migrate.ts';
import { createDatabases } from '../../support/servers/databases.ts';
import { sqlOfSchema } from './schema-engine.ts';

const SCHEMA = new URL('../../../prisma/schema.prisma', import.meta.url);

const TABLES = `
  SELECT table_name, table_type FROM information_schema.tables
  WHERE table_schema = 'public' AND table_name <> '_prisma_migrations' ORDER BY table_name`;

// The schema cannot describe collations or generated columns.
const COLUMNS = `
  SELECT table_name, ordinal_position, column_name, data_type, udt_name, character_maximum_length, numeric_precision,
    datetime_precision, is_nullable, column_default, is_identity
  FROM information_schema.columns
  WHERE table_schema = 'public' AND table_name <> '_prisma_migrations' ORDER BY table_name, ordinal_position`;

// The schema cannot describe indexes of expressions, nor of a part of the rows.
const INDEXES = `
  SELECT tablename, indexname, indexdef FROM pg_indexes
  WHERE schemaname = 'public' AND tablename <> '_prisma_migrations'
    AND NOT EXISTS (
      SELECT FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE c.relname = indexname 
        AND (i.indexprs IS NOT NULL OR i.indpred IS NOT NULL))
  ORDER BY tablename, indexname`;

const CONSTRAINTS = `
  SELECT conrelid::regclass::text AS table_name, conname, pg_get_constraintdef(oid) AS definition, convalidated
  FROM pg_constraint
  WHERE connamespace = 'public'::regnamespace AND contype = ANY($1) AND conrelid <> '_prisma_migrations'::regclass
  ORDER BY table_name, conname`;

const SEQUENCES = `
  SELECT sequence_name, data_type, minimum_value, maximum_value, increment FROM information_schema.sequences
  WHERE sequence_schema = 'public' ORDER BY sequence_name`;

describe.skipIf(!inject('databaseUrl'))('the migrations and prisma/schema.prisma', () => {
  const databases = createDatabases(inject('databaseUrl') as string);
  let migrated: pg.Pool;
  let described: pg.Pool;

  beforeAll(async () => {
    [migrated, described] = await Promise.all([databases.create(), databases.create()]);
    await migrate(migrated);
    await described.query('CREATE EXTENSION pg_trgm; CREATE EXTENSION btree_gin; CREATE TABLE _prisma_migrations ()');
    await described.query(await sqlOfSchema(await readFile(SCHEMA, 'utf8'), described));
  });
  afterAll(() => databases.drop());

  const both = async (query: string, values: unknown[] = []) => {
    const [ofMigrations, ofSchema] = await Promise.all([migrated, described].map((pool) => pool.query(query, values)));
    expect(ofMigrations?.rows.length).toBeGreaterThan(0);
    return { ofMigrations: ofMigrations?.rows, ofSchema: ofSchema?.rows };
  };

  it.each([
    ['tables', TABLES, []],
    ['columns, types, nullability and defaults', COLUMNS, []],
    ['indexes', INDEXES, []],
    ['primary keys', CONSTRAINTS, [['p']]],
    ['foreign keys', CONSTRAINTS, [['f']]],
    ['sequences', SEQUENCES, []],
  ])('define the same %s', async (_, query, values) => {
    const { ofMigrations, ofSchema } = await both(query, values);
    expect(ofMigrations).toEqual(ofSchema);
  });

  it('differ only in CHECK constraints, which the schema cannot express', async () => {
    const kinds = `SELECT contype AS kind, count(*)::int AS count FROM pg_constraint
      WHERE connamespace = 'public'::regnamespace AND conrelid <> '_prisma_migrations'::regclass
        AND contype NOT IN ('p', 'f', 'n') GROUP BY contype`;
    const { ofMigrations, ofSchema } = await both(kinds);
    expect(ofMigrations).toEqual([{ kind: 'c', count: expect.any(Number) }]);
    expect(ofSchema).toEqual([]);
    const { rows } = await migrated.query(CONSTRAINTS, [['c']]);
    expect(rows.map(({ conname }) => conname)).toContain('person_organization_slot_check');
  });
});
