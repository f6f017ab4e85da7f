import { z } from 'zod';
import { type Sql, sql } from '../../store/sql.ts';
import type { Context } from '../core/context.ts';
import type { Scope } from '../core/scopes.ts';
import { isId, notAnIdOf } from '../values/ids.ts';
import { MAX_FILTER_IDS } from '../values/limits.ts';
import { calendarDate, emailAddress, requiredText, timestampOrDate } from '../values/text.ts';
import { startOfDay } from '../values/time-zone.ts';
import type { Entity } from './entity.ts';

/** The type of a filter's value, which determines its notation in each API. */
export type FilterType = 'ids' | 'boolean' | 'date' | 'timestamp' | 'text';

/** A named condition on the records of a list. Filters are combined with AND. */
export interface Filter<Value = unknown> {
  readonly type: FilterType;
  readonly description: string;
  readonly schema: z.ZodType;
  /** A scope that is required in addition to the list's, because the filter reveals data that the scope protects. */
  readonly scope?: Scope | undefined;
  /**
   * @param values the values of all filters of the list.
   * @returns the condition that matching records meet.
   */
  readonly condition: (value: Value, context: Context, values: Readonly<Record<string, unknown>>) => Sql | Promise<Sql>;
}

/** The filters of a list by name, in snake_case. */
export type Filters = Readonly<Record<string, Filter<never>>>;

/**
 * Defines a filter for records that are related to any of several other records.
 *
 * @param condition gets each id once.
 */
export function filterByIds(
  { prefix, plural }: Pick<Entity, 'prefix' | 'plural'>,
  description: string,
  condition: Filter<string[]>['condition'],
  scope?: Scope,
): Filter<string[]> {
  const id = z
    .string()
    .refine((value) => isId(prefix, value), { error: ({ input }) => notAnIdOf(prefix, input, plural) });
  const count = `must be 1 to ${MAX_FILTER_IDS} ids`;
  const schema = z.array(id, { error: count }).min(1, { error: count }).max(MAX_FILTER_IDS, { error: count });
  return {
    type: 'ids',
    description,
    schema,
    scope,
    condition: (ids, context, values) => condition([...new Set(ids)], context, values),
  };
}

/** Defines a filter by a boolean. */
export function filterByBoolean(description: string, condition: Filter<boolean>['condition']): Filter<boolean> {
  return { type: 'boolean', description, schema: z.boolean({ error: 'must be true or false' }), condition };
}

/** Defines a filter by a date. */
function filterByDate(description: string, condition: Filter<string>['condition']): Filter<string> {
  return { type: 'date', description, schema: calendarDate, condition };
}

/**
 * Defines the filters `from` and `until`: records with a day in the range between them, which may be open-ended.
 *
 * @param plural the name of the records, for the descriptions: `events`.
 */
export function filtersByDays(plural: string, isBetween: (from: string | undefined, until: string | undefined) => Sql) {
  return {
    from: filterByDate(
      `Only ${plural} with a day on or after this date. With \`until\`: only ${plural} with a day from this date to \`until\`.`,
      (from, _context, { until }) => isBetween(from, until as string | undefined),
    ),
    // With both filters, the condition of `from` includes `until`.
    until: filterByDate(`Only ${plural} with a day on or before this date.`, (until, _context, { from }) =>
      from === undefined ? isBetween(undefined, until) : sql`TRUE`,
    ),
  };
}

/** Rejects values of {@link filtersByDays} that no day can meet. */
export function rejectReversedDays(
  { from, until }: Readonly<Record<string, unknown>>,
  check: z.core.$RefinementCtx,
): void {
  if (typeof from === 'string' && typeof until === 'string' && from > until) {
    check.addIssue({ code: 'custom', path: ['until'], message: `must not be before from, ${from}` });
  }
}

/** Defines a filter by a timestamp. A date means the start of that day in the organization’s time zone. */
export function filterByTime(description: string, condition: (time: string) => Sql): Filter<string> {
  return {
    type: 'timestamp',
    description: `${description} A date (\`2026-01-31\`) means the start of that day in the organization’s time zone.`,
    schema: timestampOrDate,
    condition: (value, { caller }) =>
      condition(value.includes('T') ? value : startOfDay(value, caller.organization.timeZone)),
  };
}

/** Defines a filter by an email address, in any letter case. */
export function filterByEmail(description: string, condition: Filter<string>['condition']): Filter<string> {
  return { type: 'text', description, schema: emailAddress, condition };
}

/** Defines a filter by a text. */
export function filterByText(
  description: string,
  condition: Filter<string>['condition'],
  example: string,
): Filter<string> {
  return { type: 'text', description, schema: requiredText().meta({ examples: [example] }), condition };
}
