import { z } from 'zod';
import { raw, type Sql, sql } from '../../store/sql.ts';
import type { Context } from '../core/context.ts';
import { invalidRequest } from '../core/errors.ts';
import { defineOperation, type NeededScope, type Operation } from '../core/operation.ts';
import { unvalidatedField } from '../core/parse-input.ts';
import type { Scope } from '../core/scopes.ts';
import { type ListOrder, ORDER_OF_ENTRY } from '../cursors/order.ts';
import {
  countRequested,
  type Page,
  pageShape,
  rejectFirstWithLast,
  searchText,
  withRecordsJson,
} from '../lists/page.ts';
import { type FilterSql, type ListRequest, readPage } from '../lists/read-pages.ts';
import { matchesSearch, type SearchCondition } from '../lists/search.ts';
import { JsonRecord } from '../records/records.ts';
import { isId, notAnIdOf, parseIntegerId } from '../values/ids.ts';
import { MAX_LISTED_IDS } from '../values/limits.ts';
import { alternatives, quote } from '../values/words.ts';
import { type Entity, pascalCase } from './entity.ts';
import { type Filter, type Filters, filterByTime, rejectReversedDays } from './filter.ts';

/** The orders of a list by name, in snake_case. */
export type Orders = Readonly<Record<string, ListOrder>>;

/** An operation that lists the records of an entity, with search, filters, orders and pages. */
export interface ListOperation<Node> extends Operation<ListInput, Page<Node>> {
  /** The names of the fields that are searched, for use in sentences. */
  readonly searchedFieldsText: string;
  /** Describes the argument that searches, in both APIs. */
  readonly searchDescription: string;
  readonly filters: Filters;
  /** The first is the default. */
  readonly orders: Orders;
  readonly inclusions: Inclusions;
}

/** The input of a list with these filters and orders. */
type ListInput = ReturnType<typeof listInput>;

/** The name of the default order, the order of entry. */
const ENTRY = 'entry';

/** The orders of a list that has only the default one, and its other name. */
export const ONLY_ENTRY: Orders = {
  [ENTRY]: ORDER_OF_ENTRY,
  created_at: { ...ORDER_OF_ENTRY, description: 'Another name of the order of entry.' },
};

/** The input fields of every list, in addition to search and filters. */
export function listFields(entity: Entity, orders: Orders) {
  const names = Object.keys(orders);
  const field = z.enum(names);
  const direction = z.enum(['asc', 'desc'], { error: 'must be asc or desc' }).default('asc');
  return {
    ids: idsOf(entity),
    order_by: z.strictObject({ field, direction }).nullish(),
    count: countRequested,
    ...pageShape,
  };
}

/** The ids to which a list is limited. */
function idsOf({ prefix, fields }: Entity) {
  const id =
    fields.id?.type === 'integerId'
      ? z
          .string()
          .refine((value) => /^[1-9]\d*$/.test(value), {
            error: ({ input }) => `${quote(String(input))} is not an integer from 1, for example 12`,
          })
          .meta({ type: 'integer', minimum: 1 })
      : z.string().refine((value) => isId(prefix, value), { error: ({ input }) => notAnIdOf(prefix, input) });
  const error = `must be 1 to ${MAX_LISTED_IDS} ids`;
  return z
    .array(id, { error })
    .min(1, { error })
    .max(MAX_LISTED_IDS, { error })
    .nullish()
    .describe('Only records with one of these ids, in the order of the list. Ids that do not exist are ignored.');
}

function listInput(entity: Entity, filters: Filters, orders: Orders, inclusions: Inclusions) {
  const filter = z
    .strictObject(
      Object.fromEntries(
        Object.entries(filters).map(([name, { schema, description }]) => [
          name,
          schema.nullish().describe(description),
        ]),
      ),
    )
    .superRefine(rejectReversedDays) as z.ZodType<Readonly<Record<string, unknown>>>;
  return z
    .strictObject({
      search: searchText,
      filter: filter.nullish(),
      ...listFields(entity, orders),
      include: includeField(inclusions),
    })
    .superRefine(rejectFirstWithLast);
}

/** The options of a list. */
interface ListOptions {
  /** Returns the condition of a search. By default, each word must be in the search text. */
  readonly matches?: (search: string, context: Context) => SearchCondition;
  readonly filters?: Filters;
  /** The orders in addition to the order of entry. */
  readonly orders?: Orders;
  readonly inclusions?: Inclusions;
}

/**
 * Defines an operation that lists the records of an entity. Its errors are `invalid_cursor`, and `missing_scope` for a
 * filter that needs another scope.
 */
export function defineList<Node>(entity: Entity<Node>, options: ListOptions = {}): ListOperation<Node> {
  const { scope, source, searchedFields } = entity;
  const filters = { ...options.filters, ...creationFilter(entity) };
  const { inclusions = {}, matches = (search) => matchesSearch(source.alias, search) } = options;
  const orders: Orders = { ...ONLY_ENTRY, ...options.orders };
  const operation = defineOperation({
    name: `list${pascalCase(source.name)}`,
    scope,
    input: listInput(entity, filters, orders, inclusions),
    scopesOfInput: (input) => [
      ...scopesOfFilters(filters, unvalidatedField(input, 'filter')),
      ...scopesOfInclude(inclusions, input),
    ],
    run: async (context, input, fields) => {
      const { search, filter, include } = input;
      const values = Object.entries(filter ?? {}).filter(([, value]) => value != null);
      const resolve = async () => ({
        conditions: await filterConditions(context, filters, values),
        search: search == null ? undefined : matches(search, context),
      });
      const request = toListRequest(entity, orders, input, { search: search ?? undefined, values, resolve });
      const page = await readPage(context, source, request, fields);
      if (!include?.length) return page;
      const records = page.recordsJson.map((json) => new JsonRecord<Node>(json));
      return withRecordsJson(page, await includeRelated(context, { inclusions, names: include }, records));
    },
  });
  const searchedFieldsText = alternatives(searchedFields.map((field) => field.replaceAll('_', ' ')));
  const searchDescription = `Only records that contain each word of this text in the ${searchedFieldsText}.`;
  return Object.assign(operation, { searchedFieldsText, searchDescription, filters, orders, inclusions });
}

/** The filter by the time of creation, for records that show it. */
function creationFilter({ fields, source, plural }: Entity): Filters {
  if (!fields.created_at) return {};
  const column = raw(`${source.alias}.created_at`);
  const description = `Only ${plural.replaceAll('_', ' ')} that were created at this time or later.`;
  return { created_since: filterByTime(description, (time) => sql`${column} >= ${time}::timestamptz`) };
}

type ListFields = z.output<z.ZodObject<ReturnType<typeof listFields>>>;

/** The search and the filters of a request. */
interface RequestedFilters {
  readonly search?: string | undefined;
  /** The names of the filters that are set, each with its value. */
  readonly values: readonly (readonly [string, unknown])[];
  /** Returns the SQL of the search and the filters. */
  readonly resolve: () => Promise<FilterSql>;
}

/** Returns the request for a page from the input fields of a list. */
export function toListRequest(
  entity: Entity,
  orders: Orders,
  { ids, order_by: orderBy, count, first, after, last, before }: ListFields,
  filters: RequestedFilters,
): ListRequest {
  const values = ids ? [...filters.values, ['ids', ids] as const] : filters.values;
  const { keys } = orders[orderBy?.field ?? ENTRY] as ListOrder;
  const order = keys.length === 0 ? ENTRY : orderBy?.field;
  const descending = orderBy?.direction === 'desc';
  // A cursor stays valid if filters, or the ids of one, are sent in another order.
  const sorted = values
    .map(([name, value]) => [name, Array.isArray(value) ? [...new Set(value)].sort() : value] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  const isDefault = values.length === 0 && keys.length === 0 && !descending;
  return {
    arguments: { first, after, last, before },
    search: filters.search,
    filterAndOrder: isDefault ? undefined : JSON.stringify([sorted, order, descending]),
    resolveFilters: async () => {
      const { conditions, search } = await filters.resolve();
      return { conditions: ids ? [hasId(entity, ids), ...conditions] : conditions, search };
    },
    sortedBy: { keys, descending },
    isCountRequested: count ?? false,
  };
}

function hasId({ source, fields }: Entity, ids: readonly string[]): Sql {
  const id = raw(`${source.alias}.id`);
  if (fields.id?.type !== 'integerId') return sql`${id} = ANY(${ids}::text[])`;
  // No record can have an id beyond the range of the column, and PostgreSQL would reject it.
  return sql`${id} = ANY(${ids.filter((value) => parseIntegerId(value) !== undefined)}::int[])`;
}

/**
 * Returns the conditions of the filters.
 *
 * @param values the names of the filters that are set, each with its value.
 */
function filterConditions(
  context: Context,
  filters: Filters,
  values: readonly (readonly [string, unknown])[],
): Promise<Sql[]> {
  const valuesByName = Object.fromEntries(values);
  return Promise.all(
    values.map(([name, value]) => (filters[name] as Filter<unknown>).condition(value, context, valuesByName)),
  );
}

/** Returns the scopes of the filters that are set in an unvalidated input. */
function scopesOfFilters(filters: Filters, values: unknown): NeededScope[] {
  const names = Object.entries(values ?? {}).flatMap(([name, value]) => (value == null ? [] : name));
  return names.flatMap((name) => {
    const scope = Object.hasOwn(filters, name) ? filters[name]?.scope : undefined;
    return scope ? { scope, field: `filter.${name}` } : [];
  });
}

/** Related records that a read can include in its records. In GraphQL, they are fields. */
interface Inclusion {
  readonly scope: Scope;
  /** Returns the related records of each of several records, in one statement. */
  readonly read: (context: Context, ids: readonly string[]) => Promise<readonly (readonly JsonRecord<unknown>[])[]>;
}

/** The inclusions of an operation by the names of the fields that they add. */
export type Inclusions = Readonly<Record<string, Inclusion>>;

/** The input field with the names of the related records to include. */
export function includeField(inclusions: Inclusions) {
  const names = Object.keys(inclusions);
  const error = `can only be ${alternatives(names)}; the GraphQL API at /graphql reads other related records in one request`;
  return z.array(z.enum(names, { error })).nullish();
}

/** Returns the scopes that an unvalidated input needs for what it includes. */
export function scopesOfInclude(inclusions: Inclusions, input: unknown): NeededScope[] {
  const names = unvalidatedField(input, 'include');
  if (!Array.isArray(names)) return [];
  return Object.entries(inclusions).flatMap(([name, { scope }]) =>
    names.includes(name) ? { scope, field: 'include' } : [],
  );
}

/** Several records can have the same large related record, which is read once but repeated in the response. */
const MAX_INCLUDED_CHARACTERS = 10_000_000;

/**
 * Adds related records to the JSON of records.
 *
 * @param names those to include.
 * @throws {ServiceError} `invalid_request` if the result would be too large.
 */
export async function includeRelated(
  context: Context,
  { inclusions, names }: { readonly inclusions: Inclusions; readonly names: readonly string[] },
  records: readonly JsonRecord<unknown>[],
): Promise<readonly string[]> {
  let json = records.map((record) => record.json);
  if (records.length === 0) return json;
  const ids = records.map((record) => (record.parse() as { readonly id: string }).id);
  for (const name of new Set(names)) {
    const related = await inclusions[name]?.read(context, ids);
    json = json.map((text, index) => {
      const added = (related?.[index] ?? []).map((record) => record.json).join(',');
      return `${text.slice(0, -1)},"${name}":[${added}]}`;
    });
  }
  if (json.reduce((sum, { length }) => sum + length, 0) > MAX_INCLUDED_CHARACTERS) {
    throw invalidRequest({ field: 'include', message: 'would make the response too large; use a smaller limit' });
  }
  return json;
}
