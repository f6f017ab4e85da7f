import { raw, type Sql, sql } from '../../store/sql.ts';
import type { Context } from '../core/context.ts';
import { type RecordSource, tableOf } from '../records/records.ts';

/** A subquery with one row for each member that matches a link filter. */
export interface MatchSubquery {
  readonly sql: Sql;
  /** Its columns: the sort keys of the list, then `position`. */
  readonly columns: readonly string[];
}

/** How the records of a list are read. */
export interface ListSource<Node> extends RecordSource<Node> {
  /** Subqueries that restrict the list to members that match all of them. */
  readonly matches?: readonly MatchSubquery[];
  /** Whether the records are searched. PostgreSQL may then read the records before the subqueries. */
  readonly isSearched?: boolean;
}

/** Returns the table of a list with its alias, joined with its {@link joinedMatches}. */
export function recordsFrom<Node>(context: Context, source: ListSource<Node>): Sql {
  const { alias, isSearched } = source;
  const organizationId = context.caller.organization.id;
  const matches = joinedMatches(source);
  if (!matches) return tableOf(source);
  const position = raw(`${matchAlias(0)}.position`);
  if (!isSearched) return sql`${matches} ${recordAt(context, source, position)}`;
  return sql`${matches} JOIN ${tableOf(source)}
    ON ${raw(alias)}.organization_id = ${organizationId} AND ${raw(alias)}.position = ${position}`;
}

/**
 * Returns a join that reads the record at a position for each of the preceding rows.
 *
 * `OFFSET 0` is an optimization fence: the planner has to read the preceding rows first. Otherwise it may read the records
 * first, because it assumes that few were updated since the last ANALYZE, and that linked records are spread evenly over
 * the list.
 */
export function recordAt(
  { caller }: Context,
  source: Pick<RecordSource<unknown>, 'table' | 'alias'>,
  position: Sql,
): Sql {
  const alias = raw(source.alias);
  return sql`CROSS JOIN LATERAL (
    SELECT * FROM ${tableOf(source)}
    WHERE ${alias}.organization_id = ${caller.organization.id} AND ${alias}.position = ${position} OFFSET 0
  ) ${alias}`;
}

/** Returns the subqueries of a list, joined, each with its {@link matchAlias}; undefined if it has none. */
export function joinedMatches<Node>({ matches = [] }: ListSource<Node>): Sql | undefined {
  const [first, ...others] = matches;
  return others.reduce(
    (from, { sql: match, columns }, index) => {
      const alias = matchAlias(index + 1);
      // The positions would suffice, but with the sort keys PostgreSQL can merge the rows in the order of the list.
      const hasSamePlace = raw(
        columns.map((column) => `${alias}.${column} = ${matchAlias(0)}.${column}`).join(' AND '),
      );
      return sql`${from} JOIN ${match} ${raw(alias)} ON ${hasSamePlace}`;
    },
    first && sql`${first.sql} ${raw(matchAlias(0))}`,
  );
}

/** Returns the SQL alias of one of the subqueries of a list. */
export function matchAlias(index: number): string {
  return `match_${index}`;
}
