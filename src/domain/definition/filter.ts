import { z } from 'zod';
import { type Sql, sql } from '../../store/sql.ts';
import type { Context } from '../core/context.ts';
import { isId } from '../core/ids.ts';
import { MAX_FILTER_IDS } from '../core/limits.ts';
import type { Scope } from '../core/scopes.ts';
import { calendarDate, requiredText, timestamp } from '../core/text.ts';

/** How each API writes the value of a filter. */
export type FilterType = 'ids' | 'boolean' | 'date' | 'timestamp' | 'text';

/** A condition on the records of a list, which callers set by name. Different filters are combined with AND. */
export interface Filter<Value = unknown> {
  readonly type: FilterType;
  readonly description: string;
  readonly schema: z.ZodType;
  /** A scope that callers need in addition to the list's, because the filter tells what that scope guards. */
  readonly scope?: Scope | undefined;
  /** @param values of all filters of the list. */
  readonly condition: (value: Value, context: Context, values: Readonly<Record<string, unknown>>) => Sql | Promise<Sql>;
}

/** The filters of a list by name, in snake_case. */
export type Filters = Readonly<Record<string, Filter<never>>>;

/** Records that are related to any of several others. */
export function filterByIds(
  prefix: string,
  description: string,
  condition: Filter<string[]>['condition'],
  scope?: Scope,
): Filter<string[]> {
  const id = z.string().refine((value) => isId(prefix, value), { error: `must be an id that begins with ${prefix}_` });
  const count = `must be 1 to ${MAX_FILTER_IDS} ids`;
  const schema = z.array(id, { error: count }).min(1, { error: count }).max(MAX_FILTER_IDS, { error: count });
  return { type: 'ids', description, schema, scope, condition };
}

/** Records with one value of a boolean. */
export function filterByBoolean(description: string, condition: Filter<boolean>['condition']): Filter<boolean> {
  return { type: 'boolean', description, schema: z.boolean({ error: 'must be true or false' }), condition };
}

/** Records from or until a day. */
function filterByDate(description: string, condition: Filter<string>['condition']): Filter<string> {
  return { type: 'date', description, schema: calendarDate, condition };
}

/**
 * The filters `from` and `until`: records with a day between both, or on one side of either.
 *
 * @param many the records, for the descriptions: `events`.
 */
export function filtersByDays(many: string, isBetween: (from: string | undefined, until: string | undefined) => Sql) {
  return {
    from: filterByDate(
      `Only ${many} with a day on or after this date; with \`until\`, with a day between both.`,
      (from, _context, { until }) => isBetween(from, until as string | undefined),
    ),
    until: filterByDate(`Only ${many} with a day on or before this date.`, (until, _context, { from }) =>
      from === undefined ? isBetween(undefined, until) : sql`TRUE`,
    ),
  };
}

/** Records from a point in time. */
export function filterByTime(description: string, condition: Filter<string>['condition']): Filter<string> {
  return { type: 'timestamp', description, schema: timestamp, condition };
}

/** Records with one value of a text. */
export function filterByText(description: string, condition: Filter<string>['condition']): Filter<string> {
  return { type: 'text', description, schema: requiredText(), condition };
}
