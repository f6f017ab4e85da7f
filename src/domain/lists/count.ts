import { raw, type Sql, sql } from '../../store/sql.ts';
import type { Context } from '../core/context.ts';
import { MAX_COUNTED_RECORDS } from '../core/limits.ts';
import { type IdColumn, type RecordKey, type RecordSource, tableOf, tenantCondition } from '../records/records.ts';

/** One more than the maximum exact count, to detect that there are more records. */
const LIMIT = raw(String(MAX_COUNTED_RECORDS + 1));

/** Returns the statement that counts rows, up to `MAX_COUNTED_RECORDS`. */
export function countSql(rows: Sql, condition: Sql): Sql {
  return sql`SELECT count(*)::int AS count FROM (SELECT FROM ${rows} WHERE ${condition} LIMIT ${LIMIT}) counted`;
}

/** Counts the records of each of several parents, as {@link countOf}, in one statement. */
export async function countRecordsByParent<Node>(
  context: Context,
  source: RecordSource<Node>,
  parent: IdColumn,
  keys: readonly RecordKey[],
): Promise<Map<RecordKey, number | null>> {
  const condition = tenantCondition(context, source, [sql`${raw(parent.column)} = parent.key`]);
  const rows = await context.db.rows<{ key: RecordKey; count: number }>(sql`
    SELECT parent.key, counted.count
    FROM unnest(${[...new Set(keys)]}::${raw(parent.type)}[]) AS parent (key)
    CROSS JOIN LATERAL (${countSql(tableOf(source), condition)}) counted`);
  return new Map(rows.map(({ key, count }) => [key, countOf(count)]));
}

/** Converts the result of {@link countSql}: null if there are more than `MAX_COUNTED_RECORDS`. */
export function countOf(count: number): number | null {
  return count <= MAX_COUNTED_RECORDS ? count : null;
}
