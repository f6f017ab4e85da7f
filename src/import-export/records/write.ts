import { takeNumbers } from '../../domain/core/counter.ts';
import { isoDate, isoTimestamp, join, raw, type Sql, sql } from '../../store/sql.ts';
import type { Batch } from './batch.ts';
import { hasIdIn } from './external-id.ts';
import { idTypeOf } from './integer-ids.ts';

export type StoredColumns = Readonly<Record<string, ColumnType>>;

export type ColumnType = 'text' | 'boolean' | 'int' | 'date' | 'timestamptz' | 'jsonb' | 'text[]';

/** A row of a table: values by column. */
export type Values = Readonly<Record<string, unknown>>;

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
 * @param related the related records, in the order of `ids`.
 */
export async function auditRecords(
  batch: Batch,
  operation: string,
  ids: readonly string[],
  related: readonly (string | null)[] = ids.map(() => null),
): Promise<void> {
  if (ids.length === 0) return;
  const { organization, actor } = batch;
  await batch.query(sql`
    INSERT INTO audit_entry (organization_id, actor, channel, operation, record_id, related_id, result)
    SELECT ${organization.id}, ${actor}, 'cli', ${operation}, target.id, target.related_id, 'ok'
    FROM unnest(${[...ids]}::text[], ${[...related]}::text[]) AS target (id, related_id)`);
}
