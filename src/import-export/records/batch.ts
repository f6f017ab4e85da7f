import type pg from 'pg';
import { lockCounter, retryLostRaces, takeNumbers } from '../../domain/core/writes.ts';
import { inTransaction } from '../../store/connections/transaction.ts';
import { isRowConflict } from '../../store/errors.ts';
import { isoDate, isoTimestamp, join, raw, type Sql, sql, sqlName } from '../../store/sql.ts';
import type { FileAddresses, Values } from './row.ts';

/** What all batches of an import have in common. */
interface BatchSettings {
  readonly organization: { readonly id: string };
  /** The operator, for audit entries. */
  readonly actor: string;
  /** The system whose external ids the file has; empty for ids without a namespace. */
  readonly source: string;
  /** Whether an email address is enough to identify a stored member, so that names are not compared. */
  readonly trustsAddresses: boolean;
  /** The address of people who have none of their own, with a placeholder, see `parseFillEmail`. */
  readonly fillEmail?: string | undefined;
}

/** The context of bulk operations: one transaction, organization and operator. */
export interface Batch extends BatchSettings {
  /** Runs a statement in the batch's transaction, and returns its rows. */
  query<Row>(statement: Sql): Promise<Row[]>;
  /** The addresses in the file; absent for resources other than members. */
  readonly addresses?: FileAddresses | undefined;
  /** Whether rows that wait for an address can be stored in a later batch, see `RowOutcome`. */
  readonly canWait: boolean;
}

export interface BatchOptions extends BatchSettings {
  readonly pool: pg.Pool;
  /** The schema of the tables that a dry run writes; absent for those of the service. */
  readonly schema?: string;
}

/** Thrown when a batch must be retried in a new transaction. */
export class LostRaceError extends Error {}

/**
 * Runs a batch in one transaction. If a concurrent write changes the same records, runs it again in a new transaction.
 *
 * @param options the properties of the batch that differ between the batches of a file.
 */
export async function runBatch<Result>(
  { pool, schema, ...common }: BatchOptions,
  work: (batch: Batch) => Promise<Result>,
  options: Partial<Pick<Batch, 'addresses' | 'canWait'>> = {},
): Promise<Result> {
  const write = () =>
    inTransaction(pool, 'BEGIN', async (run) => {
      // Without other schemas: a statement for a table that was not copied must fail.
      if (schema !== undefined) await run(`SET LOCAL search_path = ${sqlName(schema).text}`);
      // Every lookup has an index. PostgreSQL would choose sequential scans while a table is small, and keep them in
      // cached plans (also in those of foreign key checks), so that each batch would be slower than the previous one.
      await run('SET LOCAL enable_seqscan = off');
      const query: Batch['query'] = ({ text, values }) => run(text, values);
      await query(lockCounter(common.organization.id));
      // Wrapped, because `retryLostRaces` runs a write that returns undefined again.
      return { result: await work({ canWait: false, ...common, ...options, query }) };
    });
  // A batch looks up every row that it inserts or references, so a constraint violation means that a concurrent write
  // was first.
  const isRace = (error: unknown) => error instanceof LostRaceError || isRowConflict(error);
  return (await retryLostRaces(write, { isRace })).result;
}

/** The types of columns by name. */
export type StoredColumns = Readonly<Record<string, ColumnType>>;

export type ColumnType = 'text' | 'boolean' | 'int' | 'date' | 'timestamptz' | 'jsonb' | 'text[]';

export interface StoredRow {
  readonly id: string;
  readonly values: Values;
}

/** Rows as the table `s` of a statement, numbered by `row_number` from 0. */
function recordset(rows: readonly StoredRow[], idType: string, columns: Readonly<Record<string, string>>): Sql {
  const list = rows.map(({ id, values }, row_number) => ({ ...values, id, row_number }));
  const types = Object.entries(columns).map(([name, type]) => `, ${name} ${type}`);
  return sql`json_to_recordset(${JSON.stringify(list)}::json) AS s (row_number int, id ${raw(`${idType}${types.join('')}`)})`;
}

/** The SQL of a column in the format of imported values. */
function jsonSql(name: string, type: ColumnType): Sql {
  if (type === 'date') return isoDate(`t.${name}`);
  if (type === 'timestamptz') return isoTimestamp(`t.${name}`);
  if (type === 'text[]') return sql`to_json(coalesce(t.${raw(name)}, '{}'))`;
  return raw(`t.${name}`);
}

/** Selects records by id and locks them until the transaction ends, in id order to avoid deadlocks. */
export async function lockRecords(
  batch: Batch,
  table: string,
  columns: StoredColumns,
  ids: readonly string[],
): Promise<Map<string, Values>> {
  if (ids.length === 0) return new Map();
  const list = Object.entries(columns).map(([name, type]) => sql`${raw(`'${name}'`)}, ${jsonSql(name, type)}`);
  const rows = await batch.query<{ id: string; values: Values }>(sql`
    SELECT t.id::text AS id, json_build_object(${join(list)}) AS values FROM ${raw(table)} t
    WHERE t.organization_id = ${batch.organization.id} AND ${hasIdIn(table, ids)}
    ORDER BY t.id FOR UPDATE OF t`);
  return new Map(rows.map(({ id, values }) => [id, values]));
}

/** Returns those ids that records of the organization have. */
export async function existingIds(
  { query, organization }: Batch,
  table: string,
  ids: readonly string[],
): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await query<{ id: string }>(sql`
    SELECT t.id::text AS id FROM ${raw(table)} t WHERE t.organization_id = ${organization.id} AND ${hasIdIn(table, ids)}`);
  return new Set(rows.map(({ id }) => id));
}

/** Inserts records in order. `timestamps` are the columns that default to the time of the import. */
export async function insertRecords(
  batch: Batch,
  table: string,
  columns: StoredColumns,
  timestamps: readonly string[],
  rows: readonly StoredRow[],
): Promise<void> {
  if (rows.length === 0) return;
  const { names, values, recordset } = insertion(rows, idTypeOf(table), columns, timestamps);
  await batch.query(sql`
    WITH numbers AS (${takeNumbers(batch.organization.id, rows.length)})
    INSERT INTO ${raw(table)} (organization_id, id, position, ${names})
    SELECT ${batch.organization.id}, s.id, numbers.previous_number + 1 + s.row_number, ${values} FROM ${recordset}, numbers`);
}

/** The parts of an INSERT statement: the columns except the ids, their values, and the rows as the table `s`. */
export function insertion(
  rows: readonly StoredRow[],
  idType: string,
  columns: StoredColumns,
  timestamps: readonly string[],
): { readonly names: Sql; readonly values: Sql; readonly recordset: Sql } {
  const names = Object.keys(columns);
  const [first] = timestamps;
  // `updated_at` defaults to `created_at`, which comes first.
  const times = timestamps.map((name) => `coalesce(${[...new Set([name, first])].map((one) => `s.${one}`)}, now())`);
  const types = { ...columns, ...Object.fromEntries(timestamps.map((name) => [name, 'timestamptz'])) };
  return {
    names: raw([...names, ...timestamps].join(', ')),
    values: raw([...names.map((name) => `s.${name}`), ...times].join(', ')),
    recordset: recordset(rows, idType, types),
  };
}

/** Updates records to the values of `rows`. @returns the number of updated records. */
export async function updateRecords(
  batch: Batch,
  table: string,
  columns: StoredColumns,
  hasUpdatedAt: boolean,
  rows: readonly StoredRow[],
): Promise<number> {
  if (rows.length === 0) return 0;
  const assignments = Object.keys(columns).map((name) => raw(`${name} = s.${name}`));
  if (hasUpdatedAt) assignments.push(raw('updated_at = greatest(now(), t.updated_at)'));
  const updated = await batch.query(sql`
    UPDATE ${raw(table)} t SET ${join(assignments)} FROM ${recordset(rows, idTypeOf(table), columns)}
    WHERE t.organization_id = ${batch.organization.id} AND t.id = s.id RETURNING t.id`);
  return updated.length;
}

/**
 * Writes an audit entry for each record.
 *
 * @param related the id of the related record: of all, or of each in the order of `ids`.
 */
export async function auditRecords(
  batch: Batch,
  operation: string,
  ids: readonly string[],
  related: string | null | readonly string[] = null,
): Promise<void> {
  if (ids.length === 0) return;
  const { organization, actor } = batch;
  const relatedIds = Array.isArray(related) ? related : ids.map(() => related);
  await batch.query(sql`
    INSERT INTO audit_entry (organization_id, actor, channel, operation, record_id, related_id, result)
    SELECT ${organization.id}, ${actor}, 'cli', ${operation}, target.id, target.related_id, 'ok'
    FROM unnest(${[...ids]}::text[], ${relatedIds}::text[]) AS target (id, related_id)`);
}

/** Tables with integer ids, each with the organization's column that holds the last allocated id. */
const LAST_ID_COLUMN = { form: 'last_form_id', form_field: 'last_form_field_id' } as const;

/** The type of a table's ids. */
export function idTypeOf(table: string): 'int' | 'text' {
  return table in LAST_ID_COLUMN ? 'int' : 'text';
}

/** An id as a value of JSON; null for none. */
export function idValue(table: string, id: string | undefined): string | number | null {
  if (id === undefined) return null;
  return idTypeOf(table) === 'int' ? Number(id) : id;
}

/** The condition that a row `t` of a table has one of these ids. */
function hasIdIn(table: string, ids: readonly string[]): Sql {
  return sql`t.id = ANY(${[...ids]}::${raw(idTypeOf(table))}[])`;
}

/**
 * Allocates the next integer ids of a table in the batch's organization. Each organization has its own last id, so that
 * ids reveal nothing about others. Ids are never reused, even if their records were deleted.
 */
export async function allocateIntegerIds(
  { query, organization }: Batch,
  table: keyof typeof LAST_ID_COLUMN,
  count: number,
): Promise<string[]> {
  const column = raw(LAST_ID_COLUMN[table]);
  // Ids allocated before the counter existed can be greater than it.
  const [counter] = await query<{ last: number }>(sql`
    UPDATE organization o SET ${column} = ${count}::int + greatest(o.${column}, (
      SELECT max(t.id) FROM ${raw(table)} t WHERE t.organization_id = o.id))
    WHERE o.id = ${organization.id} RETURNING ${column} AS last`);
  if (!counter) throw new Error(`organization ${organization.id} does not exist`);
  return Array.from({ length: count }, (_, index) => String(counter.last - count + 1 + index));
}
