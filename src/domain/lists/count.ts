import { raw, type Sql, sql } from '../../store/sql.ts';
import type { Context } from '../core/context.ts';
import { MAX_COUNTED_RECORDS } from '../core/limits.ts';
import {
  type IdColumn,
  joinedLinksSql,
  type RecordKey,
  type RecordSource,
  tableOf,
  tenantCondition,
} from '../records/records.ts';
import type { Count } from './page.ts';

/** One more than the maximum exact count, to detect that there are more records. */
const LIMIT = raw(String(MAX_COUNTED_RECORDS + 1));

/**
 * Counts the records of a list, up to `MAX_COUNTED_RECORDS`. One statement.
 *
 * @param conditions the conditions of the search and the filters, except the link filters in `source.links`.
 */
export async function countRecords<Node>(
  context: Context,
  source: RecordSource<Node>,
  conditions: readonly Sql[],
): Promise<Count> {
  const links = joinedLinksSql(source);
  // Each link belongs to one record of the organization, so an index on the links suffices.
  const rows =
    links && conditions.length === 0 && !source.condition
      ? links
      : sql`${tableOf(source)} WHERE ${tenantCondition(context, source, conditions)}`;
  const statement = sql`SELECT count(*)::int AS count FROM (SELECT FROM ${rows} LIMIT ${LIMIT}) counted`;
  const { db } = context;
  // With a search or filters, the best plan depends on their values.
  const [row] = await (conditions.length > 0 || links
    ? db.queryUnshared<{ count: number }>(statement)
    : db.rows<{ count: number }>(statement));
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
