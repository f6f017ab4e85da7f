import type { Context } from 'hono';
import { z } from 'zod';
import { invalidRequest } from '../domain/core/errors.ts';
import type { Filter } from '../domain/definition/filter.ts';
import type { ListOperation } from '../domain/definition/list.ts';
import { readJson } from '../http/request/json-body.ts';
import { queryValue } from '../http/request/query.ts';
import type { RecordShape } from './record-shape.ts';
import { type Input, type SerializedInput, serializeOrder, serializePage, serializePath } from './serialize-input.ts';

/** Maps a request to the input of an operation. */
export interface InputSource {
  /**
   * Reads the input, without validating it.
   *
   * @throws {ServiceError} if the request cannot be read; its details already have the names of the REST API.
   */
  read(c: Context): Promise<unknown> | unknown;
  /**
   * Returns the name of an input field in the REST API.
   *
   * @param url the URL of the request, which shows whether it uses a parameter or its alias.
   */
  nameOf(field: string, url: string): string;
  /**
   * The inverse of {@link InputSource.read}: returns the parts of a request with this input.
   *
   * @param input a valid input of the operation.
   * @returns undefined if no request has this input.
   */
  serialize(input: Input): SerializedInput | undefined;
  /** Splits the schema of the operation's input into schemas of the parts of a request, for OpenAPI. */
  parts(input: z.ZodType): RequestParts;
}

/** The schemas of the parts of a request. */
export interface RequestParts {
  readonly path?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
}

/** A path parameter: its name, and the schema of the id that it holds. */
interface PathParameter {
  readonly name: string;
  readonly schema: z.ZodType;
}

/** The path parameters of an operation, keyed by its input fields. */
type PathParameters = Record<string, PathParameter>;

/** The query parameters of lists, by input field. */
export const LIST_PARAMETERS: Record<string, string> = { search: 'q', first: 'limit', after: 'cursor' };

/**
 * Reads the query parameters of a list: `limit`, `cursor`, `q` (alias `search`), one for each filter, `order_by` if the list
 * has several orders, and `count`.
 */
export function listParameters(list: Pick<ListOperation<never>, 'filters' | 'orders'>): InputSource {
  const filters = Object.entries<Filter<never>>(list.filters);
  const orders = Object.keys(list.orders);
  return {
    read: (c) => {
      const { url } = c.req;
      return {
        search: readSearch(c),
        ...readPageArguments(c),
        ...(filters.length > 0 && {
          filter: Object.fromEntries(
            filters.map(([name, { type }]) => [name, parseFilter(type, queryValue(url, name))]),
          ),
        }),
        ...(orders.length > 1 && { order_by: parseOrder(queryValue(url, 'order_by')) }),
        count: parseBoolean(queryValue(url, 'count')),
      };
    },
    serialize: ({ search, filter, order_by: order, count, ...page }) => {
      const query = serializePage(page);
      if (!query) return undefined;
      return {
        query: { q: search, ...query, ...(filter as Input), order_by: serializeOrder(order), count: count || null },
      };
    },
    nameOf: (field, url) => {
      if (field === 'search' && queryValue(url, 'search') !== undefined) return field;
      const [, filter] = /^filter\.(\w+)/.exec(field) ?? [];
      return filter ?? (field.startsWith('order_by') ? 'order_by' : (LIST_PARAMETERS[field] ?? field));
    },
    parts: (input) => {
      const { search, count } = shapeOf(input);
      return {
        query: z.object({
          q: querySchema(search),
          ...pageParameters(input),
          ...Object.fromEntries(filters.map(([name, filter]) => [name, filterSchema(filter)])),
          ...(orders.length > 1 && { order_by: orderSchema(list.orders) }),
          count: querySchema(count),
        }),
      };
    },
  };
}

function filterSchema({ schema, description, scope }: Filter<never>): z.ZodType {
  return schema.optional().describe(scope ? `${description} Needs the scope \`${scope}\`.` : description);
}

function orderSchema(orders: ListOperation<never>['orders']): z.ZodType {
  const names = Object.keys(orders).flatMap((name) => [name, `-${name}`]);
  const descriptions = Object.entries(orders).map(([name, { description }]) => `\`${name}\`: ${description}`);
  return z
    .enum(names)
    .optional()
    .describe(`The order. Prefix it with \`-\` for descending order. ${descriptions.join(' ')}`);
}

/** Parses the parameter of a filter. Ids are separated by commas, or sent as repeated parameters. */
function parseFilter(type: Filter['type'], value: string | string[] | undefined): unknown {
  if (value === undefined) return undefined;
  if (type === 'ids') return splitValues(value);
  return type === 'boolean' ? parseBoolean(value) : value;
}

/** Returns the values of a parameter that is repeated, contains commas, or both. */
export function splitValues(value: string | string[]): string[] {
  return [value].flat().flatMap((values) => values.split(','));
}

/** Parses `true` and `false`. Other values are returned unchanged, so that the operation's schema rejects them. */
function parseBoolean(value: string | string[] | undefined): unknown {
  return value === 'true' || value === 'false' ? value === 'true' : value;
}

/** Parses an order: `name` is ascending, `-name` descending. */
function parseOrder(value: string | string[] | undefined): unknown {
  if (value === undefined) return undefined;
  if (typeof value !== 'string' || !value.startsWith('-')) return { field: value, direction: 'asc' };
  return { field: value.slice(1), direction: 'desc' };
}

/** Reads the input from the request body. */
export const body: InputSource = {
  read: (c) => readJson(c),
  serialize: (input) => ({ body: input }),
  nameOf: (field) => field,
  parts: (input) => ({ body: input }),
};

/** Reads the input from path parameters. */
export function path(parameters: PathParameters): InputSource {
  return {
    read: (c) => pathValues(c, parameters),
    serialize: (input) => ({ path: serializePath(input, parameters) }),
    nameOf: (field) => parameters[field]?.name ?? field,
    parts: () => ({ path: pathShape(parameters) }),
  };
}

/**
 * Reads the input from path parameters and the request body. The body is a separate field, so that it cannot override
 * path parameters.
 *
 * @param name the input field that holds the body.
 */
export function pathAndBody(parameters: PathParameters, name: string): InputSource {
  return {
    read: async (c) => ({ [name]: await readJson(c), ...pathValues(c, parameters) }),
    serialize: (input) => ({ path: serializePath(input, parameters), body: input[name] }),
    nameOf: (field) => {
      if (field === name) return 'body';
      return field.startsWith(`${name}.`) ? field.slice(name.length + 1) : field;
    },
    parts: (input) => ({ path: pathShape(parameters), body: shapeOf(input)[name] as z.ZodType }),
  };
}

/** Reads the input from path parameters, and from `limit` and `cursor` as the input field `page`. */
export function pathAndPage(parameters: PathParameters): InputSource {
  return {
    read: (c) => ({ page: readPageArguments(c), ...pathValues(c, parameters) }),
    serialize: (input) => {
      const query = serializePage(input.page as Input);
      return query && { path: serializePath(input, parameters), query };
    },
    nameOf: (field) => LIST_PARAMETERS[field.replace(/^page\./, '')] ?? field,
    parts: (input) => ({
      path: pathShape(parameters),
      query: z.object(pageParameters(shapeOf(input).page as z.ZodType)),
    }),
  };
}

/** Defines a path parameter that holds a field of a record. */
export function parameter(name: string, { schema, example }: RecordShape, field: string): PathParameter {
  const id = schema.shape[field] as z.ZodType;
  return { name, schema: id.meta({ ...z.globalRegistry.get(id), param: { example: example[field] } }) };
}

function pathValues(c: Context, parameters: PathParameters): Record<string, string> {
  return Object.fromEntries(Object.entries(parameters).map(([field, { name }]) => [field, c.req.param(name) ?? '']));
}

function readSearch(c: Context): unknown {
  const [q, search] = [queryValue(c.req.url, 'q'), queryValue(c.req.url, 'search')];
  if (q !== undefined && search !== undefined) {
    throw invalidRequest({ field: 'search', message: 'is an alias of q; send only one of them' });
  }
  return q ?? search;
}

/** Reads `limit` and `cursor` of a request. */
export function readPageArguments(c: Context): { first: unknown; after: unknown } {
  const limit = queryValue(c.req.url, 'limit');
  const isInteger = typeof limit === 'string' && /^\d+$/.test(limit);
  const first = isInteger ? Math.min(Number(limit), Number.MAX_SAFE_INTEGER) : limit;
  return { first, after: queryValue(c.req.url, 'cursor') };
}

function pathShape(parameters: PathParameters): z.ZodObject {
  return z.object(Object.fromEntries(Object.values(parameters).map(({ name, schema }) => [name, schema])));
}

/** Returns the schemas of `limit` and `cursor` from the schema of page arguments. */
export function pageParameters(page: z.ZodType) {
  const { first, after } = shapeOf(page);
  return { limit: querySchema(first), cursor: querySchema(after) };
}

/** Returns the schema of a query parameter from that of an optional input field: without null, which cannot be sent. */
export function querySchema(schema: z.ZodType | undefined): z.ZodType {
  const { description } = z.globalRegistry.get(schema as z.ZodType) ?? {};
  const value = (schema as z.ZodOptional<z.ZodNullable<z.ZodType>>).unwrap().unwrap().optional();
  return description ? value.describe(description) : value;
}

/** The schemas of the fields of an input. */
export function shapeOf(schema: z.ZodType): Record<string, z.ZodType> {
  return (schema as z.ZodObject).shape as Record<string, z.ZodType>;
}
