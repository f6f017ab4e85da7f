import type { Context } from 'hono';
import { z } from 'zod';
import { invalidRequest } from '../domain/core/errors.ts';
import type { Filter } from '../domain/definition/filter.ts';
import type { ListOperation } from '../domain/definition/list.ts';
import { readJson } from '../http/json-body.ts';
import { queryValue } from './query.ts';

/** How an operation's input is gathered from a request, and what REST calls its fields. */
export interface InputSource {
  /** @throws {ServiceError} with the names of REST, where the request cannot be read. */
  read(c: Context): Promise<unknown> | unknown;
  /** @param url of the request, which may have a field under another name that is accepted too. */
  nameOf(field: string, url: string): string;
  /** Where a request has it, as the schema of the operation's input checks it. */
  parts(input: z.ZodType): RequestParts;
}

/** The parts of a request that an input is gathered from. */
export interface RequestParts {
  readonly path?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
}

/** A path parameter: its name, and the id that it is. */
interface PathParameter {
  readonly name: string;
  readonly schema: z.ZodType;
}

/** The path parameters of an operation, by the names of its input. */
type PathParameters = Record<string, PathParameter>;

/** What REST calls the fields of a page. */
export const LIST_PARAMETERS: Record<string, string> = { search: 'q', first: 'limit', after: 'cursor' };

/**
 * The query parameters of a list: `limit` and `cursor`, `q` (also accepted as `search`), each filter by its name, `order_by`
 * if the list has several orders, and `count`.
 */
export function listParameters(list: Pick<ListOperation<never>, 'filters' | 'orders'>): InputSource {
  const filters = Object.entries<Filter<never>>(list.filters);
  const orders = Object.keys(list.orders);
  return {
    read: (c) => {
      const { url } = c.req;
      return {
        search: searchOf(c),
        ...windowOf(c),
        ...(filters.length > 0 && {
          filter: Object.fromEntries(
            filters.map(([name, { type }]) => [name, filterValue(type, queryValue(url, name))]),
          ),
        }),
        ...(orders.length > 1 && { order_by: orderOf(queryValue(url, 'order_by')) }),
        count: booleanOf(queryValue(url, 'count')),
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
          q: inQuery(search),
          ...windowShape(input),
          ...Object.fromEntries(filters.map(([name, filter]) => [name, describedFilter(filter)])),
          ...(orders.length > 1 && { order_by: orderSchema(list.orders) }),
          count: inQuery(count),
        }),
      };
    },
  };
}

function describedFilter({ schema, description, scope }: Filter<never>): z.ZodType {
  return schema.optional().describe(scope ? `${description} Needs the scope \`${scope}\`.` : description);
}

function orderSchema(orders: ListOperation<never>['orders']): z.ZodType {
  const names = Object.keys(orders).flatMap((name) => [name, `-${name}`]);
  const described = Object.entries(orders).map(([name, { description }]) => `\`${name}\`: ${description}`);
  return z
    .enum(names)
    .optional()
    .describe(`The order; with \`-\` before it, descending. ${described.join(' ')}`);
}

/** Several ids are separated by commas, or sent as several parameters. */
function filterValue(type: Filter['type'], value: string | string[] | undefined): unknown {
  if (value === undefined) return undefined;
  if (type === 'ids') return listed(value);
  return type === 'boolean' ? booleanOf(value) : value;
}

/** The values of a parameter that was sent several times, or with commas. */
export function listed(value: string | string[]): string[] {
  return [value].flat().flatMap((values) => values.split(','));
}

/** A boolean; what is neither `true` nor `false` is left to the schema of the operation. */
function booleanOf(value: string | string[] | undefined): unknown {
  return value === 'true' || value === 'false' ? value === 'true' : value;
}

/** `name` is ascending, `-name` descending. */
function orderOf(value: string | string[] | undefined): unknown {
  if (value === undefined) return undefined;
  if (typeof value !== 'string' || !value.startsWith('-')) return { field: value, direction: 'asc' };
  return { field: value.slice(1), direction: 'desc' };
}

/** The body, whole. */
export const body: InputSource = {
  read: (c) => readJson(c.req.raw),
  nameOf: (field) => field,
  parts: (input) => ({ body: input }),
};

/** Path parameters alone. */
export function path(parameters: PathParameters): InputSource {
  return {
    read: (c) => pathValues(c, parameters),
    nameOf: (field) => parameters[field]?.name ?? field,
    parts: () => ({ path: pathShape(parameters) }),
  };
}

/**
 * Path parameters, and the body: nothing in a body can stand for a path parameter.
 *
 * @param name of the body in the operation's input.
 */
export function pathAndBody(parameters: PathParameters, name: string): InputSource {
  return {
    read: async (c) => ({ ...pathValues(c, parameters), [name]: await readJson(c.req.raw) }),
    nameOf: (field) => {
      if (field === name) return 'body';
      return field.startsWith(`${name}.`) ? field.slice(name.length + 1) : field;
    },
    parts: (input) => ({ path: pathShape(parameters), body: shapeOf(input)[name] as z.ZodType }),
  };
}

/** Path parameters, with `limit` and `cursor` as `window`. */
export function pathAndWindow(parameters: PathParameters): InputSource {
  return {
    read: (c) => ({ ...pathValues(c, parameters), window: windowOf(c) }),
    nameOf: (field) => LIST_PARAMETERS[field.replace(/^window\./, '')] ?? field,
    parts: (input) => ({
      path: pathShape(parameters),
      query: z.object(windowShape(shapeOf(input).window as z.ZodType)),
    }),
  };
}

/** The path parameter that stands for a field of a record. */
export function parameter<Field extends string>(
  name: string,
  { schema, example }: { schema: { shape: Record<Field, z.ZodType> }; example: Record<Field, unknown> },
  field: Field,
): PathParameter {
  const id = schema.shape[field];
  return { name, schema: id.meta({ ...z.globalRegistry.get(id), param: { example: example[field] } }) };
}

function pathValues(c: Context, parameters: PathParameters): Record<string, string> {
  return Object.fromEntries(Object.entries(parameters).map(([field, { name }]) => [field, c.req.param(name) ?? '']));
}

function searchOf(c: Context): unknown {
  const [q, search] = [queryValue(c.req.url, 'q'), queryValue(c.req.url, 'search')];
  if (q !== undefined && search !== undefined) {
    throw invalidRequest({ field: 'search', message: 'is another name of q; send one of them' });
  }
  return q ?? search;
}

/** `limit` and `cursor` of a request. */
export function windowOf(c: Context): { first: unknown; after: unknown } {
  const limit = queryValue(c.req.url, 'limit');
  const isInteger = typeof limit === 'string' && /^\d+$/.test(limit);
  const first = isInteger ? Math.min(Number(limit), Number.MAX_SAFE_INTEGER) : limit;
  return { first, after: queryValue(c.req.url, 'cursor') };
}

function pathShape(parameters: PathParameters): z.ZodObject {
  return z.object(Object.fromEntries(Object.values(parameters).map(({ name, schema }) => [name, schema])));
}

/** The schemas of `limit` and `cursor`. */
export function windowShape(window: z.ZodType) {
  const { first, after } = shapeOf(window);
  return { limit: inQuery(first), cursor: inQuery(after) };
}

/** A query cannot say null: what is not sent is absent. */
export function inQuery(schema: z.ZodType | undefined): z.ZodType {
  const { description } = z.globalRegistry.get(schema as z.ZodType) ?? {};
  const value = (schema as z.ZodOptional<z.ZodNullable<z.ZodType>>).unwrap().unwrap().optional();
  return description ? value.describe(description) : value;
}

/** The schemas of the fields of an input. */
export function shapeOf(schema: z.ZodType): Record<string, z.ZodType> {
  return (schema as z.ZodObject).shape as Record<string, z.ZodType>;
}
