import type { Context } from 'hono';
import { z } from 'zod';
import { invalidRequest, withValue } from '../domain/core/errors.ts';
import { MAX_SHORT_TEXT_CHARACTERS } from '../domain/core/limits.ts';
import type { Filter } from '../domain/definition/filter.ts';
import { type ListOperation, ONLY_ENTRY } from '../domain/definition/list.ts';
import { similarNames } from '../domain/values/similar-names.ts';
import { alternatives } from '../domain/values/words.ts';
import { readJson } from '../http/request/json-body.ts';
import { queryValue, queryValues } from '../http/request/query.ts';
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
 * Reads the query parameters of a list: `limit`, `cursor`, `q` (alias `search`), one for each filter, and those of
 * {@link commonListParameters}.
 */
export function listParameters(list: Pick<ListOperation<never>, 'filters' | 'orders'>): InputSource {
  const filters = Object.entries<Filter<never>>(list.filters);
  return {
    read: (c) => {
      const { url } = c.req;
      const values = filters.map(([name, { type }]) => [name, readFilter(url, name, type)]);
      const filter = filters.length > 0 ? Object.fromEntries(values) : undefined;
      return Object.assign(readListArguments(c, list.orders), { search: readSearch(c), filter });
    },
    serialize: ({ search, filter, ...input }) => {
      const query = serializeListArguments(input);
      return query && { query: { q: search, ...query, ...(filter as Input) } };
    },
    nameOf: (field, url) => {
      if (field === 'search' && queryValue(url, 'search') !== undefined) return field;
      const [, filter] = /^filter\.(\w+)/.exec(field) ?? [];
      return filter ?? nameOfListField(field);
    },
    parts: (input) => ({
      query: z.object({
        q: querySchema(shapeOf(input).search),
        ...pageParameters(input),
        ...Object.fromEntries(filters.map(([name, filter]) => [name, filterSchema(filter)])),
        ...commonListParameters(input, list.orders),
      }),
    }),
  };
}

/** Reads the query parameters that every list of records has: `limit`, `cursor`, `ids`, `order_by` and `count`. */
function readListArguments(c: Context, orders: ListOperation<never>['orders']): Record<string, unknown> {
  const { url } = c.req;
  const { first, after } = readPageArguments(c);
  return {
    first,
    after,
    ids: queryValues(url, 'ids'),
    order_by: parseOrder(queryValue(url, 'order_by'), Object.keys(orders)),
    count: parseBoolean(queryValue(url, 'count')),
  };
}

function serializeListArguments({ ids, order_by: order, count, ...page }: Input): Input | undefined {
  const query = serializePage(page);
  return query && { ...query, ids, order_by: serializeOrder(order), count: count || null };
}

/** The parameter of an input field of a list. */
function nameOfListField(field: string): string {
  const [, name] = /^(order_by|ids)\b/.exec(field) ?? [];
  return name ?? LIST_PARAMETERS[field] ?? field;
}

/** The schemas of the parameters of every list of records, except for `limit` and `cursor`. */
function commonListParameters(input: z.ZodType, orders: ListOperation<never>['orders']) {
  const { ids, count } = shapeOf(input);
  return { ids: querySchema(ids), order_by: orderSchema(orders), count: querySchema(count) };
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

/** Reads the parameter of a filter. */
function readFilter(url: string, name: string, type: Filter['type']): unknown {
  if (type === 'ids') return queryValues(url, name);
  const value = queryValue(url, name);
  if (value !== undefined && LOST_PLUS.test(value) && url.includes('+')) {
    throw invalidRequest({ field: name, message: 'must have + written as %2B; in a URL, + means a space' });
  }
  return type === 'boolean' ? parseBoolean(value) : value;
}

/** An email address whose plus was not encoded and is now a space. The schema of a time has a message of its own. */
const LOST_PLUS = /^\S+ \S+@\S+$/;

/** Parses `true` and `false`. Other values are returned unchanged, so that the operation's schema rejects them. */
function parseBoolean(value: string | undefined): unknown {
  return value === 'true' || value === 'false' ? value === 'true' : value;
}

/**
 * Parses an order: `name` is ascending, `-name` descending.
 *
 * @throws {ServiceError} `invalid_request` for an unknown one.
 */
function parseOrder(value: string | undefined, names: readonly string[]): unknown {
  if (value === undefined) return undefined;
  const field = value.replace(/^-/, '');
  if (!names.includes(field)) throw invalidRequest({ field: 'order_by', message: unknownOrder(value, names) });
  return { field, direction: value === field ? 'asc' : 'desc' };
}

/** Returns the message for an unknown order. It suggests `-name` for `name desc`, `name:desc`, `-Name` and `--name`. */
function unknownOrder(value: string, names: readonly string[]): string {
  const allowed = `must be one of ${names.join(', ')}, with - before it for descending order, for example -${names.at(-1)}`;
  if (value.length > MAX_SHORT_TEXT_CHARACTERS) return withValue(allowed, value);
  const isDescending = value.startsWith('-') || /desc/i.test(value);
  const name = value.replace(/\W*\b(?:asc|desc)(?:ending)?$/i, '');
  const similar = /^-?(?:created|id\b)/i.test(name) ? Object.keys(ONLY_ENTRY) : similarNames(name, names);
  const suggested = alternatives(similar.map((name) => `${isDescending ? '-' : ''}${name}`));
  return withValue(`${allowed}${suggested && `; did you mean ${suggested}?`}`, value);
}

/** The input of an operation without parameters. */
export const noInput: InputSource = {
  read: () => ({}),
  serialize: () => ({}),
  nameOf: (field) => field,
  parts: () => ({}),
};

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

/** Reads the input of a list from path parameters, and from the query parameters that every list of records has. */
export function pathAndList(parameters: PathParameters): InputSource {
  return {
    read: (c) => ({ ...readListArguments(c, ONLY_ENTRY), ...pathValues(c, parameters) }),
    serialize: (input) => {
      const query = serializeListArguments(input);
      return query && { path: serializePath(input, parameters), query };
    },
    nameOf: nameOfListField,
    parts: (input) => ({
      path: pathShape(parameters),
      query: z.object({ ...pageParameters(input), ...commonListParameters(input, ONLY_ENTRY) }),
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
  return { first: readInteger(queryValue(c.req.url, 'limit')), after: queryValue(c.req.url, 'cursor') };
}

/** Parses an integer without a sign. Other values are returned unchanged, so that the operation's schema rejects them. */
export function readInteger(value: string | undefined): unknown {
  return value !== undefined && /^\d+$/.test(value) ? Math.min(Number(value), Number.MAX_SAFE_INTEGER) : value;
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
