import { auditOperator } from '../../domain/core/audit.ts';
import { empty, isoDate, isoTimestamp, join, raw, type Sql, sql } from '../../store/sql.ts';
import type { Batch } from './batch.ts';
import { idTypeOf, isOneOf } from './external-id.ts';

/** The columns that rows of a file fill, and their types. */
export type StoredColumns = Readonly<Record<string, ColumnType>>;

/** A type of a column. */
export type ColumnType = 'text' | 'boolean' | 'int' | 'date' | 'timestamptz' | 'jsonb' | 'text[]';

/** A row of a table, under the names of its columns. */
export type Values = Readonly<Record<string, unknown>>;

/** A row that is to be written. */
export interface StoredRow {
  readonly id: string;
  readonly values: Values;
}

/** Rows as a table inside a statement, `s`; numbered by `row_number`. */
export function sent(rows: readonly StoredRow[], idType: string, columns: Readonly<Record<string, string>>): Sql {
  const list = rows.map(({ id, values }, row_number) => ({ ...values, id, row_number }));
  const types = Object.entries(columns).map(([name, type]) => `, ${name} ${type}`);
  return sql`json_to_recordset(${JSON.stringify(list)}::json) AS s (row_number int, id ${raw(`${idType}${types.join('')}`)})`;
}

/** How a column reads as JSON: as files and rows of them have it. */
function asJson(name: string, type: ColumnType): Sql {
  if (type === 'date') return isoDate(`t.${name}`);
  if (type === 'timestamptz') return isoTimestamp(`t.${name}`);
  if (type === 'text[]') return sql`to_json(coalesce(t.${raw(name)}, '{}'))`;
  return raw(`t.${name}`);
}

/** Records as they are, by id; locked until the transaction ends, in an order that all follow. */
export async function lockRecords(
  batch: Batch,
  table: string,
  columns: StoredColumns,
  ids: readonly string[],
): Promise<Map<string, Values>> {
  if (ids.length === 0) return new Map();
  const list = Object.entries(columns).map(([name, type]) => sql`${raw(`'${name}'`)}, ${asJson(name, type)}`);
  const rows = await batch.rows<{ id: string; values: Values }>(sql`
    SELECT t.id::text AS id, json_build_object(${join(list)}) AS values FROM ${raw(table)} t
    WHERE t.organization_id = ${batch.organization.id} AND ${isOneOf(table, ids)}
    ORDER BY t.id ${batch.planned ? empty : sql`FOR UPDATE OF t`}`);
  return new Map(rows.map(({ id, values }) => [id, values]));
}

/** Inserts records in their order. `times` are the columns that take the moment of the import where a row has none. */
export async function insertRecords(
  batch: Batch,
  table: string,
  columns: Readonly<Record<string, string>>,
  times: readonly string[],
  rows: readonly StoredRow[],
): Promise<void> {
  if (rows.length === 0) return;
  const names = Object.keys(columns);
  const values = names.map((name) => (times.includes(name) ? timeOf(name, times) : raw(`s.${name}`)));
  await batch.rows(sql`
    INSERT INTO ${raw(table)} (organization_id, id, ${raw(names.join(', '))})
    SELECT ${batch.organization.id}, s.id, ${join(values)}
    FROM ${sent(rows, idTypeOf(table), columns)} ORDER BY s.row_number`);
}

/** The value of `created_at`, `updated_at` or the like at an insertion: a record is not changed before it is made. */
export function timeOf(name: string, times: readonly string[]): Sql {
  const [first] = times;
  return name === first ? raw(`coalesce(s.${name}, now())`) : raw(`coalesce(s.${name}, s.${first}, now())`);
}

/** Changes records to the values of `rows`. @returns how many there were. */
export async function updateRecords(
  batch: Batch,
  table: string,
  columns: Readonly<Record<string, string>>,
  hasUpdatedAt: boolean,
  rows: readonly StoredRow[],
): Promise<number> {
  if (rows.length === 0) return 0;
  const assignments = Object.keys(columns).map((name) => raw(`${name} = s.${name}`));
  if (hasUpdatedAt) assignments.push(raw('updated_at = greatest(now(), t.updated_at)'));
  const updated = await batch.rows(sql`
    UPDATE ${raw(table)} t SET ${join(assignments)} FROM ${sent(rows, idTypeOf(table), columns)}
    WHERE t.organization_id = ${batch.organization.id} AND t.id = s.id RETURNING t.id`);
  return updated.length;
}

/**
 * Notes a write of each record in the audit.
 *
 * @param related the other records that the writes are about, in the order of `ids`.
 */
export async function auditRecords(
  batch: Batch,
  operation: string,
  ids: readonly string[],
  related: readonly (string | null)[] = ids.map(() => null),
): Promise<void> {
  if (ids.length === 0) return;
  const { organization, actor } = batch;
  await batch.rows(
    auditOperator(
      actor,
      operation,
      sql`${organization.id}`,
      sql`written.id`,
      sql`unnest(${[...ids]}::text[], ${[...related]}::text[]) AS written (id, related_id)`,
      sql`written.related_id`,
    ),
  );
}
