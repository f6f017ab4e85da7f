import { raw, sql } from '../../store/sql.ts';
import type { Context } from '../core/context.ts';
import { MAX_COUNTED_RECORDS } from '../core/limits.ts';
import { type IdColumn, type RecordKey, type RecordSource, tableOf, tenantCondition } from '../records/records.ts';
import { type FilteredList, rowsOfList } from './filtered-list.ts';
import { joinedMatches, recordsFrom } from './list-source.ts';
import type { Count } from './page.ts';

/** One more than the maximum exact count, to detect that there are more records. */
const LIMIT = raw(String(MAX_COUNTED_RECORDS + 1));

/** Counts the records of a list, up to `MAX_COUNTED_RECORDS`. One statement. */
export async function countRecords<Node>(context: Context, list: FilteredList<Node>): Promise<Count> {
  const { source, conditions, condition } = list;
  const matches = joinedMatches(source);
  // Each row of the subqueries is one record, so the records themselves need not be read.
  const rows =
    matches && conditions.length === 0 && !source.condition
      ? matches
      : sql`${recordsFrom(context, source)} WHERE ${condition}`;
  const statement = sql`SELECT count(*)::int AS count FROM (SELECT FROM ${rows} LIMIT ${LIMIT}) counted`;
  const [row] = await rowsOfList<{ count: number }>(context, list, statement);
  return countOf(row?.count ?? 0);
}

/** Counts the records of each of several parents in one statement. */
export async function countRecordsByParent<Node>(
  context: Context,
  source: RecordSource<Node>,
  parent: IdColumn,
  keys: readonly RecordKey[],
): Promise<Map<RecordKey, Count>> {
  const condition = tenantCondition(context, source, [sql`${raw(parent.column)} = parent.key`]);
  const rows = await context.db.rows<{ key: RecordKey; count: number }>(sql`
    SELECT parent.key, counted.count
    FROM unnest(${[...new Set(keys)]}::${raw(parent.type)}[]) AS parent (key)
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS count FROM (SELECT FROM ${tableOf(source)} WHERE ${condition} LIMIT ${LIMIT}) one
    ) counted`);
  return new Map(rows.map(({ key, count }) => [key, countOf(count)]));
}

function countOf(count: number): Count {
  const isExact = count <= MAX_COUNTED_RECORDS;
  return { exact: isExact ? count : null, atLeast: isExact ? count : MAX_COUNTED_RECORDS };
}
