import { type Entity, pluralInSentence } from '../../domain/definition/entity.ts';
import type { Filter, FilterType } from '../../domain/definition/filter.ts';
import type { ListOperation } from '../../domain/definition/list.ts';
import { camelCase, toCamelCase } from '../naming.ts';
import { builder } from './builder.ts';

/** The GraphQL type of the value of a filter, by the type of the filter. */
const TYPES = {
  ids: ['ID'],
  boolean: 'Boolean',
  date: 'Date',
  timestamp: 'DateTime',
  text: 'String',
} as const satisfies Record<FilterType, unknown>;

const OrderDirection = builder.enumType('OrderDirection', {
  description: 'The direction of an order.',
  values: {
    ASC: { value: 'asc', description: 'Ascending: from A to Z, oldest first.' },
    DESC: { value: 'desc', description: 'Descending: from Z to A, newest first.' },
  },
});

/** The input type of a list's argument `filter`; undefined if the list has no filters. */
export function filterTypeOf<Node>(entity: Entity<Node>, { filters }: ListOperation<Node>) {
  if (Object.keys(filters).length === 0) return undefined;
  return builder.inputType(`${entity.name}Filter`, {
    description: `Conditions on ${pluralInSentence(entity)}. Records must meet all of them.`,
    fields: (t) =>
      Object.fromEntries(
        Object.entries<Filter<never>>(filters).map(([filter, { type, description, scope }]) => [
          camelCase(filter),
          t.field({
            type: TYPES[type] as never,
            description: scope ? `${description} Scope: \`${scope}\`.` : description,
          }),
        ]),
      ),
  });
}

/** The input type of a list's argument `orderBy`. */
export function orderTypeOf<Node>(entity: Entity<Node>, { orders }: ListOperation<Node>) {
  const entries = Object.entries(orders);
  const { name } = entity;
  const records = pluralInSentence(entity);
  const values = entries.map(([order, { description }]) => [order.toUpperCase(), { value: order, description }]);
  const field = builder.enumType(`${name}OrderField`, {
    description: `The fields by which ${records} can be sorted.`,
    values: Object.fromEntries(values),
  });
  return builder.inputType(`${name}Order`, {
    description: `An order of ${records}. Records that are equal in this order are sorted by the order in which they were added.`,
    fields: (t) => ({
      field: t.field({ type: field as never, required: true, description: 'What to sort by.' }),
      direction: t.field({
        type: OrderDirection,
        required: true,
        defaultValue: 'asc',
        description: 'The direction.',
      }),
    }),
  });
}

/** Converts the arguments of a list to the input of its domain operation. */
export function listInputOf({ filter, orderBy, ...args }: ListArguments, { filters }: { readonly filters: object }) {
  const names = Object.keys(filters);
  return {
    ...args,
    ...(filter && { filter: Object.fromEntries(names.map((name) => [name, filter[camelCase(name)]])) }),
    ...(orderBy && { order_by: { ...orderBy } }),
  };
}

/** The arguments of a field that lists records. */
interface ListArguments {
  readonly filter?: Readonly<Record<string, unknown>> | null | undefined;
  readonly orderBy?: object | null | undefined;
}

/**
 * The inverse of {@link listInputOf}: returns the arguments of a list for a valid input of its domain operation; undefined
 * for a list of ids, which `nodes` reads.
 */
export function listArgumentsOf(input: Readonly<Record<string, unknown>>): Record<string, unknown> | undefined {
  if (input.ids != null) return undefined;
  const { search, first, after, last, before } = input;
  const filter = Object.entries(input.filter ?? {}).filter(([, value]) => value != null);
  const order = input.order_by as { field: string; direction?: string } | null | undefined;
  return {
    search,
    first,
    after,
    last,
    before,
    ...(filter.length > 0 && { filter: toCamelCase(Object.fromEntries(filter)) }),
    ...(order && {
      orderBy: { field: order.field.toUpperCase(), direction: (order.direction ?? 'asc').toUpperCase() },
    }),
  };
}
