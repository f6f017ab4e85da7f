import { z } from 'zod';
import { invalidRequest } from '../domain/core/errors.ts';
import type { Filter } from '../domain/definition/filter.ts';
import { type Inclusions, type ListOperation, ONLY_ENTRY } from '../domain/definition/list.ts';
import { MAX_SHORT_TEXT_CHARACTERS } from '../domain/values/limits.ts';
import { similarNames } from '../domain/values/similar-names.ts';
import { alternatives, withValue } from '../domain/values/words.ts';
import { queryValue, queryValues } from '../http/request/query.ts';
import type { ResponseHeaders } from '../http/request/request-env.ts';
import { type Input, type InputSource, shapeOf } from './input.ts';

/** A query parameter, and the field of the input that holds its value. */
interface QueryParameter {
  readonly name: string;
  readonly field: string;
  /** Whether it is a field of the input’s `filter`. */
  readonly isFilter?: true;
  /**
   * Reads the value from a URL, without validating it.
   *
   * @throws {ServiceError} `invalid_request` if it cannot be read.
   */
  readonly read: (url: string) => unknown;
  /** The inverse of `read`; null if the parameter is absent. By default, the value itself. */
  readonly serialize?: (value: unknown) => unknown;
  /** By default, that of the field. */
  readonly schema?: z.ZodType;
}

/** Reads the input from query parameters. */
function queryInput(parameters: readonly QueryParameter[]): InputSource {
  const filters = parameters.filter(({ isFilter }) => isFilter);
  const fields = parameters.filter(({ isFilter }) => !isFilter);
  const readAll = (all: readonly QueryParameter[], url: string) =>
    Object.fromEntries(all.map(({ field, read }) => [field, read(url)]));
  return {
    read: ({ req: { url } }) => {
      const values = readAll(fields, url);
      return filters.length > 0 ? Object.assign(values, { filter: readAll(filters, url) }) : values;
    },
    nameOf: (field, url) => {
      // Sent under the alias, so named by it.
      if (field === 'search' && queryValue(url, 'search') !== undefined) return field;
      const [outer, inner] = field.split('.');
      const name = outer === 'filter' ? inner : fields.find((one) => one.field === outer)?.name;
      return name ?? field;
    },
    serialize: ({ last, before, filter, ...input }) => {
      // REST has no pages from the end of a list.
      if (last != null || before) return undefined;
      const values = parameters.map(({ name, field, isFilter, serialize = (value) => value }) => {
        const holder = (isFilter ? filter : input) as Input | null | undefined;
        return [name, serialize(holder?.[field])];
      });
      return { query: Object.fromEntries(values) };
    },
    parts: (input) => ({
      query: z.object(
        Object.fromEntries(
          parameters.map(({ name, field, schema }) => [name, schema ?? querySchema(shapeOf(input)[field])]),
        ),
      ),
    }),
  };
}

/** Returns the schema of a query parameter from that of an optional input field: without null, which cannot be sent. */
function querySchema(schema: z.ZodType | undefined): z.ZodType {
  const { description } = z.globalRegistry.get(schema as z.ZodType) ?? {};
  const value = (schema as z.ZodOptional<z.ZodNullable<z.ZodType>>).unwrap().unwrap().optional();
  return description ? value.describe(description) : value;
}

const LIMIT: QueryParameter = { name: 'limit', field: 'first', read: (url) => readInteger(url, 'limit') };
const CURSOR: QueryParameter = { name: 'cursor', field: 'after', read: (url) => queryValue(url, 'cursor') };
const SEARCH: QueryParameter = { name: 'q', field: 'search', read: readSearch };
const IDS: QueryParameter = { name: 'ids', field: 'ids', read: (url) => queryValues(url, 'ids') };
const COUNT: QueryParameter = {
  name: 'count',
  field: 'count',
  read: readCount,
  serialize: (isCounted) => isCounted || null,
};

/** The query parameters of the change feed. */
export const changeParameters = queryInput([
  LIMIT,
  CURSOR,
  { name: 'resources', field: 'resources', read: (url) => queryValues(url, 'resources') },
  { name: 'wait', field: 'wait', read: (url) => readInteger(url, 'wait') },
]);

/** The query parameters of a list, with one for each filter; `search` is an alias of `q`. */
export function listParameters({
  name,
  filters,
  orders,
  inclusions,
}: Pick<ListOperation<never>, 'name' | 'filters' | 'orders' | 'inclusions'>): InputSource {
  const filterParameters = Object.entries<Filter<never>>(filters).map(([name, filter]) =>
    filterParameter(name, filter),
  );
  return queryInput([
    SEARCH,
    LIMIT,
    CURSOR,
    ...filterParameters,
    IDS,
    orderParameter(orders, name.replace(/^list/, '')),
    COUNT,
    ...includeParameter(inclusions),
  ]);
}

/** The query parameter of a read with the related records to include. */
export function includeInput(inclusions: Inclusions): InputSource {
  return queryInput(includeParameter(inclusions));
}

function includeParameter(inclusions: Inclusions): QueryParameter[] {
  const entries = Object.entries(inclusions);
  if (entries.length === 0) return [];
  const described = entries.map(([name, { scope }]) => `\`${name}\` (needs the scope \`${scope}\`)`);
  return [
    {
      name: 'include',
      field: 'include',
      read: (url) => (queryValue(url, 'include')?.trim() === '' ? undefined : queryValues(url, 'include')),
      schema: z
        .array(z.enum(Object.keys(inclusions)))
        .optional()
        .describe(`Related records to include in each record: ${described.join(', ')}.`),
    },
  ];
}

/** The query parameters of a list without search, filters and orders. */
export const plainListParameters = queryInput([LIMIT, CURSOR, IDS, orderParameter(ONLY_ENTRY, 'FormResponses'), COUNT]);

function filterParameter(name: string, { type, schema, description, scope }: Filter<never>): QueryParameter {
  return {
    name,
    field: name,
    isFilter: true,
    read: (url) => readFilter(url, name, type),
    schema: schema.optional().describe(scope ? `${description} Needs the scope \`${scope}\`.` : description),
  };
}

function readFilter(url: string, name: string, type: Filter['type']): unknown {
  if (type === 'ids') return queryValues(url, name);
  const value = queryValue(url, name);
  if (value?.trim() === '') throw invalidRequest({ field: name, message: 'has an empty value; leave it out' });
  if (value !== undefined && LOST_PLUS.test(value) && url.includes('+')) {
    throw invalidRequest({ field: name, message: 'must have + written as %2B; in a URL, + means a space' });
  }
  return type === 'boolean' ? parseBoolean(value) : value;
}

/** An email address whose plus was not encoded and is now a space. Times with a lost plus are reported by their schema. */
const LOST_PLUS = /^\S+ \S+@\S+$/;

function readSearch(url: string): unknown {
  const [q, search] = [optionalValue(url, 'q'), optionalValue(url, 'search')];
  if (q !== undefined && search !== undefined) {
    throw invalidRequest({ field: 'search', message: 'is an alias of q; send only one of them' });
  }
  return q ?? search;
}

/** The value of a parameter that does not filter: an empty one, as low-code tools send it, is as if absent. */
function optionalValue(url: string, name: string): string | undefined {
  const value = queryValue(url, name);
  return value?.trim() === '' ? undefined : value;
}

function readCount(url: string): unknown {
  const value = optionalValue(url, 'count');
  if (value === undefined || !/^(?![01]$)\d+$/.test(value)) return parseBoolean(value);
  throw invalidRequest({ field: 'count', message: 'must be true or false; limit is the size of a page' });
}

/** Parses an integer without a sign. Other values are returned unchanged, so that the operation's schema rejects them. */
function readInteger(url: string, name: string): unknown {
  const value = optionalValue(url, name);
  return value !== undefined && /^\d+$/.test(value) ? Math.min(Number(value), Number.MAX_SAFE_INTEGER) : value;
}

/** Parses `true` and `false`, in any letter case. Other values are returned unchanged, so that the operation's schema rejects them. */
function parseBoolean(value: string | undefined): unknown {
  const isBoolean = value !== undefined && /^(?:true|false)$/i.test(value);
  return isBoolean ? value.toLowerCase() === 'true' : value;
}

/** The order of a list: `name` is ascending, `-name` descending. @param list the name of the list in the description. */
function orderParameter(orders: ListOperation<never>['orders'], list: string): QueryParameter {
  const names = Object.keys(orders);
  const descriptions = Object.entries(orders).map(([name, { description }]) => `\`${name}\`: ${description}`);
  const description = `The order. Prefix it with \`-\` for descending order. ${descriptions.join(' ')}`;
  const constants = names.flatMap((name) => [name, `${name}_desc`]);
  return {
    name: 'order_by',
    field: 'order_by',
    read: (url) => parseOrder(optionalValue(url, 'order_by'), names),
    serialize: (order) => {
      const { field, direction } = (order ?? {}) as { readonly field?: string; readonly direction?: string };
      return direction === 'desc' ? `-${field}` : field;
    },
    // A component, because generators name the constants of an enum by the parameter otherwise.
    schema: z
      .enum(names.flatMap((name) => [name, `-${name}`]))
      .meta({ id: `${list}Order`, description, 'x-enum-varnames': constants, 'x-enumNames': constants })
      .optional()
      .meta({ param: { description } }),
  };
}

/** @throws {ServiceError} `invalid_request` for an unknown order. */
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
  const isCreation = /^-?(?:created|id\b)/i.test(name);
  const isName = names.includes('name') && /^-?(?:first|last|full|sur)_?name$/i.test(name);
  const similar = isCreation ? ['created_at'] : isName ? ['name'] : similarNames(name, names);
  const suggested = alternatives(similar.map((name) => `${isDescending ? '-' : ''}${name}`));
  return withValue(`${allowed}${suggested && `; did you mean ${suggested}?`}`, value);
}

/**
 * The headers of a response to a request with the deprecated parameter `search`: since when it is deprecated (RFC 9745), and
 * until when it works (RFC 8594), at least twelve months later (decisions, "Version 1.0").
 */
const SEARCH_DEPRECATION: ResponseHeaders = {
  Deprecation: `@${Date.UTC(2026, 10, 27) / 1_000}`,
  Sunset: new Date(Date.UTC(2027, 10, 27)).toUTCString(),
};

/** Returns the headers that announce the end of what a request uses; undefined if nothing of it is deprecated. */
export function deprecationHeaders(url: string): ResponseHeaders | undefined {
  return queryValue(url, 'search') === undefined ? undefined : SEARCH_DEPRECATION;
}
