import type { ObjectFieldBuilder, ObjectRef } from '@pothos/core';
import type { ConnectionShape } from '@pothos/plugin-relay';
import type { z } from 'zod';
import type { Operation } from '../../domain/core/operation.ts';
import { type Entity, nameInSentence, pluralInSentence } from '../../domain/definition/entity.ts';
import type { Filter, FilterType } from '../../domain/definition/filter.ts';
import type { ListOperation } from '../../domain/definition/list.ts';
import type { JsonRecord } from '../../domain/records/records.ts';
import { MAX_COUNTED_RECORDS } from '../../domain/values/limits.ts';
import { capitalize, withArticle } from '../../domain/values/words.ts';
import { extensions } from '../data/field-extensions.ts';
import type { Values } from '../document/normal-form.ts';
import { camelCase, toCamelCase } from '../naming.ts';
import { type PageConnection, readConnection, readRecord } from '../raw-json/read.ts';
import { builder, type SchemaTypes } from './builder.ts';
import { fieldNameOf, typeOf } from './entity-types.ts';

/** Adds the connection type of an entity, and returns it. */
export function addConnection<Node>(entity: Entity<Node>) {
  const { name } = entity;
  const type = typeOf(entity);
  return builder.connectionObject(
    {
      type,
      name: `${name}Connection`,
      description: `A page of ${pluralInSentence(entity)}.`,
      fields: connectionFields(type),
    },
    { name: `${name}Edge`, description: `${capitalize(withArticle(nameInSentence(entity)))} in a list.` },
  );
}

/** The fields of a connection of records of this type, in addition to `edges` and `pageInfo`. */
function connectionFields<Node>(type: ObjectRef<SchemaTypes, Node>) {
  return (t: ObjectFieldBuilder<SchemaTypes, ConnectionShape<SchemaTypes, Node, false>>) => ({
    nodes: t.field({
      type: [type],
      description: 'The records of the page in list order, without cursors.',
      resolve: (connection) => (connection as unknown as PageConnection<Node>).nodes as never,
    }),
    totalCount: t.int({
      nullable: true,
      description: `The number of records of the whole list that match the search and the filter, up to ${MAX_COUNTED_RECORDS.toLocaleString('en-US')}; null if there are more. Costs one point per selection.`,
      ...extensions({ size: { records: 0, cost: 1 } }),
      resolve: (connection) => (connection as unknown as PageConnection<Node>).count(),
    }),
  });
}

/**
 * Adds the root field that lists the records of an entity, and its connection type.
 *
 * @param description the description of the field, if it differs from those of other lists.
 * @returns the connection type, for nested lists of the same records.
 */
export function addList<Node>(
  entity: Entity<Node>,
  list: ListOperation<Node>,
  description = `The ${pluralInSentence(entity)} of the organization.`,
) {
  const { plural, scope } = entity;
  const records = pluralInSentence(entity);
  const connection = addConnection(entity);
  const [filter, order] = [filterTypeOf(entity, list), orderTypeOf(entity, list)];
  builder.queryField(camelCase(plural), (t) =>
    t.field({
      type: connection,
      nullable: true,
      description: `${description} Scope: \`${scope}\`.`,
      ...extensions({
        size: { records: 'page', cost: 0 },
        returnsRawJson: true,
        counterpart: { operation: list, toArguments: listArgumentsOf, toInput: (args) => listInputOf(args, list) },
      }),
      args: {
        search: t.arg.string({ description: list.searchDescription }),
        ...(filter && {
          filter: t.arg({ type: filter, description: `Returns only ${records} that meet all conditions.` }),
        }),
        orderBy: t.arg({ type: order, description: 'The order. Default: the order in which they were added.' }),
        ...t.arg.connectionArgs(),
      },
      resolve: (_root, args, context, info) => readConnection(context, list, listInputOf(args, list), info),
    }),
  );
  return connection;
}

/**
 * Adds the root field that reads one record of an entity by id.
 *
 * @param id if the ids in GraphQL and in the domain differ: the description of the argument, and a function that
 *   converts a GraphQL id to the id in the domain.
 */
export function addGet<Node>(
  entity: Entity<Node>,
  get: Operation<z.ZodType, JsonRecord<Node>>,
  id: { readonly description?: string; readonly toDomain?: (id: string) => string } = {},
): void {
  const noun = nameInSentence(entity);
  const { description, toDomain = (one: string) => one } = id;
  const inputOf = (args: { readonly id?: unknown }) => ({ id: toDomain(String(args.id)) });
  builder.queryField(fieldNameOf(entity), (t) =>
    t.field({
      type: typeOf(entity),
      nullable: true,
      description: `The ${noun} with this id. If it does not exist: null, with the error \`not_found\`. Scope: \`${get.scopes[0]}\`.`,
      ...extensions({
        returnsRawJson: true,
        counterpart: {
          operation: get,
          toArguments: ({ include: _, ...input }) => input,
          toInput: inputOf,
        },
      }),
      args: { id: t.arg.id({ required: true, description: description ?? `The ${noun}’s id.` }) },
      resolve: (_root, args, context, info) => readRecord(context, get, inputOf(args), info) as never,
    }),
  );
}

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
function filterTypeOf<Node>(entity: Entity<Node>, { filters }: ListOperation<Node>) {
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
function orderTypeOf<Node>(entity: Entity<Node>, { orders }: ListOperation<Node>) {
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
function listInputOf({ filter, orderBy, ...args }: ListArguments, { filters }: { readonly filters: object }) {
  const names = Object.keys(filters);
  return {
    ...args,
    ...(filter && { filter: Object.fromEntries(names.map((name) => [name, filter[camelCase(name)]])) }),
    ...(orderBy && { order_by: { ...orderBy } }),
  };
}

/** The arguments of a field that lists records. */
interface ListArguments {
  readonly filter?: Values | null | undefined;
  readonly orderBy?: object | null | undefined;
}

/**
 * The inverse of {@link listInputOf}: returns the arguments of a list for a valid input of its domain operation; undefined
 * for a list of ids, which `nodes` reads.
 */
function listArgumentsOf(input: Values): Record<string, unknown> | undefined {
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
