import { z } from 'zod';
import type { Context } from '../core/context.ts';
import { defineOperation, type Operation } from '../core/operation.ts';
import { singleValueMessage, unvalidatedField } from '../core/parse-input.ts';
import type { Scope } from '../core/scopes.ts';
import { type ListOrder, ORDER_OF_ENTRY } from '../cursors/order.ts';
import { countRequested, type Page, pageShape, rejectFirstWithLast, searchText } from '../lists/page.ts';
import { type ListRequest, type RecordFilters, readPage } from '../lists/read-pages.ts';
import { matchesSearch, type SearchCondition } from '../lists/search.ts';
import type { RecordSource } from '../records/records.ts';
import { alternatives } from '../values/words.ts';
import { pascalCase } from './entity.ts';
import type { Filter, Filters } from './filter.ts';

/** The orders of a list by name, in snake_case. */
export type Orders = Readonly<Record<string, ListOrder>>;

/** An operation that lists the records of an entity, with search, filters, orders and pages. */
export interface ListOperation<Node> extends Operation<ListInput, Page<Node>> {
  /** Describes the argument that searches, in both APIs. */
  readonly searchDescription: string;
  readonly filters: Filters;
  /** The first is the default. */
  readonly orders: Orders;
}

/** The input of a list with these filters and orders. */
type ListInput = ReturnType<typeof listInput>;

/** The name of the default order, the order of entry. */
const ENTRY = 'entry';

function listInput(filters: Filters, orders: Orders) {
  const filter = z.strictObject(
    Object.fromEntries(
      Object.entries(filters).map(([name, { schema, description }]) => [name, schema.nullish().describe(description)]),
    ),
  ) as z.ZodType<Readonly<Record<string, unknown>>>;
  const names = Object.keys(orders);
  const field = z.enum(names, { error: singleValueMessage(`must be one of ${names.join(', ')}`) });
  const direction = z.enum(['asc', 'desc'], { error: 'must be asc or desc' }).default('asc');
  return z
    .strictObject({
      search: searchText,
      filter: filter.nullish(),
      order_by: z.strictObject({ field, direction }).nullish(),
      count: countRequested,
      ...pageShape,
    })
    .superRefine(rejectFirstWithLast);
}

/**
 * Defines an operation that lists the records of an entity.
 *
 * @param definition.matches returns the condition of a search. By default, each word must be in the search text.
 * @param definition.orders the orders in addition to the order of entry.
 * @throws {ServiceError} `invalid_cursor`; `missing_scope` for a filter that needs another scope.
 */
export function defineList<Node>(definition: {
  readonly scope: Scope;
  readonly source: RecordSource<Node>;
  /** The names of the fields that are searched. */
  readonly searched: readonly string[];
  readonly matches?: (search: string, context: Context) => SearchCondition;
  readonly filters?: Filters;
  readonly orders?: Orders;
}): ListOperation<Node> {
  const {
    scope,
    source,
    searched,
    filters = {},
    matches = (search) => matchesSearch(source.alias, search),
  } = definition;
  const orders: Orders = { [ENTRY]: ORDER_OF_ENTRY, ...definition.orders };
  const name = `list${pascalCase(source.name)}`;
  const operation = defineOperation({
    name,
    scope,
    input: listInput(filters, orders),
    scopesOfInput: (input) => scopesOfFilters(filters, unvalidatedField(input, 'filter')),
    run: async (context, { search, filter, order_by: orderBy, count, ...page }, fields) => {
      const values = Object.entries(filter ?? {}).filter(([, value]) => value != null);
      const { keys } = orders[orderBy?.field ?? ENTRY] as ListOrder;
      const descending = orderBy?.direction === 'desc';
      const isDefault = values.length === 0 && keys.length === 0 && !descending;
      const request: ListRequest = {
        arguments: page,
        search: search ?? undefined,
        filterAndOrder: isDefault
          ? undefined
          : JSON.stringify([values.map(withSortedIds).sort(byName), orderBy?.field ?? ENTRY, descending]),
        resolveFilters: () =>
          filtersToSql(context, filters, values, search == null ? undefined : matches(search, context)),
        sortedBy: { keys, descending },
        isCountRequested: count ?? false,
      };
      return readPage(context, source, request, fields);
    },
  });
  const fields = alternatives(searched.map((field) => field.replaceAll('_', ' ')));
  const searchDescription = `Only records that contain each word of this text in the ${fields}.`;
  return Object.assign(operation, { searchDescription, filters, orders });
}

/**
 * Returns the SQL of the search and the filters.
 *
 * @param values the names of the filters that are set, each with its value.
 */
async function filtersToSql(
  context: Context,
  filters: Filters,
  values: readonly (readonly [string, unknown])[],
  search: SearchCondition | undefined,
): Promise<RecordFilters> {
  const valuesByName = Object.fromEntries(values);
  const conditions = await Promise.all(
    values.map(([name, value]) => (filters[name] as Filter<unknown>).condition(value, context, valuesByName)),
  );
  return { conditions, search };
}

/** Returns the scopes of the filters that are set in an unvalidated input. */
function scopesOfFilters(filters: Filters, values: unknown): Scope[] {
  const entries = Object.entries(values ?? {}).filter(([, value]) => value != null);
  return entries.flatMap(([name]) => (Object.hasOwn(filters, name) ? (filters[name]?.scope ?? []) : []));
}

/** A cursor stays valid if the ids of a filter are sent in another order. */
function withSortedIds([name, value]: readonly [string, unknown]): [string, unknown] {
  return [name, Array.isArray(value) ? [...new Set(value)].sort() : value];
}

function byName([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1;
}
