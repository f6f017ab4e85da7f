import { raw, type Sql, sql } from '../../store/sql.ts';
import type { Context } from '../core/context.ts';
import { type RecordSource, tableOf, tenantCondition } from '../records/records.ts';
import type { FilteredList } from './filtered-list.ts';

/**
 * From this number of matches, sorting all of them takes too long. PostgreSQL then reads in the order of the list, which
 * is fast unless the matches are next to each other near its end.
 */
const VERY_MANY_MATCHES = 30_000;

/** From this number of matches, the first records in the order of the list often contain the page. */
const MANY_MATCHES = 1_000;

/** The maximum number of records that are read in the order of the list before all matches are read and sorted. */
const MAX_RECORDS_IN_ORDER = raw('20000');

/** How to read a search in an order whose first key is text, such as names. */
export interface SearchPlan {
  /** The conditions of the list without the search and filters. */
  readonly tenantCondition: Sql;
  readonly hasManyMatches: boolean;
}

/**
 * Decides how to read a search, by the number of matches that PostgreSQL estimates. One statement, which reads no
 * records.
 *
 * @returns undefined if PostgreSQL should decide.
 */
export async function planSearch<Node>(
  context: Context,
  { source, condition }: Pick<FilteredList<Node>, 'source' | 'condition'>,
): Promise<SearchPlan | undefined> {
  const matches = await context.db.estimateRows(sql`SELECT FROM ${tableOf(source)} WHERE ${condition}`);
  if (matches >= VERY_MANY_MATCHES) return undefined;
  return { tenantCondition: tenantCondition(context, source), hasManyMatches: matches >= MANY_MATCHES };
}

/** The parts of the SQL of {@link orderedSearchSql}. */
interface OrderedSearch {
  readonly columns: Sql;
  /** The conditions of the page, except the search and filters. */
  readonly bounds: Sql;
  /** All conditions of the page. */
  readonly condition: Sql;
  /** See {@link SearchPlan}. */
  readonly hasManyMatches: boolean;
  /** The ORDER BY expression. */
  readonly order: Sql;
  /** The number of records of the page. */
  readonly limit: Sql;
}

/**
 * Returns the SQL that reads a page of a search that is sorted by text, such as names.
 *
 * It finds all matches, with the index on the text, and sorts them. If there are many, it first reads up to
 * {@link MAX_RECORDS_IN_ORDER} records in the order of the list, and often these contain the page. PostgreSQL alone
 * would read in this order until the page is full, because it assumes that matches are spread evenly. But members with
 * the same last name are next to each other in the order of names, and it would read all that precede them.
 */
export function orderedSearchSql<Node>(
  source: RecordSource<Node>,
  { columns, bounds, condition, hasManyMatches, order, limit }: OrderedSearch,
): Sql {
  const [table, alias] = [tableOf(source), raw(source.alias)];
  // `OFFSET 0` is an optimization fence, so that PostgreSQL finds the matches before it sorts them.
  const findAll = (isNeeded: Sql) => sql`
    SELECT ${columns} FROM (SELECT * FROM ${table} WHERE ${condition} OFFSET 0) ${alias}
    WHERE ${isNeeded} ORDER BY ${order} LIMIT ${limit}`;
  if (!hasManyMatches) return findAll(sql`true`);
  // The records that are found in order if they fill the page, otherwise all matches.
  return sql`
    WITH first AS MATERIALIZED (
      SELECT ${columns} FROM (
        SELECT * FROM ${table} WHERE ${bounds} ORDER BY ${order} LIMIT ${MAX_RECORDS_IN_ORDER}
      ) ${alias} WHERE ${condition} LIMIT ${limit}
    )
    SELECT * FROM first WHERE (SELECT count(*) FROM first) = ${limit}
    UNION ALL (${findAll(sql`(SELECT count(*) FROM first) < ${limit}`)})`;
}
