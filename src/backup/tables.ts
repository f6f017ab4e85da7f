import pg from 'pg';
import type { TransactionQuery } from '../store/connections/transaction.ts';
import { organizationTables } from '../store/organization-tables.ts';

/**
 * The tables of a dump, each after those that it references. These tables are not included:
 *
 * - `session` and `password_link`, which are valid only in the service that created them;
 * - `api_key_failed_request` and `webhook_delivery`, whose rows are deleted after a week;
 * - `change_feed` and `purged_change`: a copy has an epoch of its own, because its later changes differ;
 * - `schema_requirement`, which migrations write.
 */
export const TABLES = [
  'cursor_secret',
  'organization',
  'operator',
  'administrator',
  'api_key',
  'webhook',
  'api_key_usage',
  'api_key_hourly_usage',
  'api_key_scope_usage',
  'api_key_operation_usage',
  'api_key_usage_batch',
  'person',
  'email_address',
  'person_organization',
  'designation',
  'member',
  'tag',
  'member_tag',
  'department',
  'department_member',
  'prayer_request',
  'form',
  'form_field',
  'form_response',
  'event',
  'service',
  'idempotency_record',
  'audit_entry',
  'external_id',
  'import_progress',
  'import_run',
  'import_change',
  'record_change',
  'organization_counter',
] as const;

const NOT_COPIED = [
  'session',
  'password_link',
  'api_key_failed_request',
  'webhook_delivery',
  'change_feed',
  'purged_change',
  'schema_requirement',
  '_prisma_migrations',
];

/** The tables that triggers also write while a dump is loaded. They come last, and the rows of the dump replace those. */
export const TABLES_OF_TRIGGERS: readonly Table[] = ['record_change', 'organization_counter'];

export type Table = (typeof TABLES)[number];

/** The {@link TABLES} that exist in a database. An older schema has fewer. */
export async function tablesOf(query: TransactionQuery): Promise<Table[]> {
  const rows = await query<{ name: string }>(
    'SELECT tablename AS name FROM pg_tables WHERE schemaname = ANY (current_schemas(false))',
  );
  const names = new Set(rows.map(({ name }) => name));
  return TABLES.filter((table) => names.has(table));
}

/** The conditions on the rows of an organization, for each table that has any. */
export async function conditionsOf(query: TransactionQuery, organizationId: string): Promise<Map<string, string>> {
  const tables = await organizationTables(query, organizationId);
  const id = pg.escapeLiteral(organizationId);
  return new Map([
    ...tables.map(({ name, condition }) => [name, condition] as const),
    ['person', `id IN (SELECT person_id FROM person_organization WHERE organization_id = ${id})`],
    // Not the addresses of the same persons that only other organizations have.
    ['email_address', `address IN (SELECT email_address FROM member WHERE organization_id = ${id})`],
  ]);
}

/** The tables of a database that this version does not know: a newer one has created them, or another program. */
export async function unknownTables(query: TransactionQuery): Promise<string[]> {
  const rows = await query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = ANY (current_schemas(false)::regnamespace[])
       AND relkind IN ('r', 'p') AND NOT relispartition AND relname <> ALL ($1) ORDER BY 1`,
    [[...TABLES, ...NOT_COPIED]],
  );
  return rows.map(({ name }) => name);
}

export interface Column {
  readonly name: string;
  readonly type: string;
  /** Its position in the primary key, from 1; null if it is not part of it. */
  readonly key: number | null;
}

/** The columns of a table, in order, except generated columns, which PostgreSQL computes itself. */
export function columnsOf(query: TransactionQuery, table: Table): Promise<Column[]> {
  return query<Column>(
    `SELECT a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type,
       array_position(i.indkey::int2[], a.attnum) + 1 - array_lower(i.indkey::int2[], 1) AS key
     FROM pg_attribute a JOIN pg_index i ON i.indrelid = a.attrelid AND i.indisprimary
     WHERE a.attrelid = $1::regclass AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
     ORDER BY a.attnum`,
    [table],
  );
}

export interface Sequence {
  readonly name: string;
  readonly table: string;
  readonly column: string;
}

/** The sequences that the tables own. */
export async function sequencesOf(query: TransactionQuery): Promise<Sequence[]> {
  return query<Sequence>(
    `SELECT s.relname AS name, t.relname AS table, a.attname AS column
     FROM pg_depend d JOIN pg_class s ON s.oid = d.objid AND s.relkind = 'S'
     JOIN pg_class t ON t.oid = d.refobjid JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = d.refobjsubid
     WHERE d.classid = 'pg_class'::regclass AND d.refclassid = 'pg_class'::regclass
       AND t.oid = ANY ($1::text[]::regclass[])
     ORDER BY s.relname`,
    [await tablesOf(query)],
  );
}

/** The columns with numbers of the organizations' counters. */
export function numbersOf(query: TransactionQuery): Promise<{ readonly table: Table; readonly column: string }[]> {
  return query(
    `SELECT table_name AS table, column_name AS column FROM information_schema.columns
     WHERE table_schema = ANY (current_schemas(false)) AND column_name IN ('position', 'number')
       AND table_name = ANY ($1) ORDER BY table_name`,
    [TABLES],
  );
}

export interface AppliedMigration {
  readonly name: string;
  readonly checksum: string;
}

/** The applied migrations, in order. */
export function appliedMigrations(query: TransactionQuery): Promise<AppliedMigration[]> {
  return query<AppliedMigration>(
    `SELECT migration_name AS name, checksum FROM _prisma_migrations
     WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY migration_name COLLATE "C"`,
  );
}
