import type { Context } from 'hono';
import { readJson } from '../gate/json-body.ts';
import { queryValue } from './query.ts';

/** How an operation's input is gathered from a request, and what REST calls its fields. */
export interface InputSource {
  read(c: Context): Promise<unknown> | unknown;
  nameOf(field: string): string;
}

const LIST_PARAMETERS: Record<string, string> = { search: 'q', first: 'limit', after: 'cursor' };

/** `limit` and `cursor`, and `q` where the list has a search. */
export const listParameters: InputSource = {
  read: (c) => ({ search: queryValue(c.req.url, 'q'), ...windowOf(c) }),
  nameOf: (field) => LIST_PARAMETERS[field] ?? field,
};

/** The body, whole. */
export const body: InputSource = { read: (c) => readJson(c.req.raw), nameOf: (field) => field };

/** Path parameters: the operation's name for each, and the path's. */
export function path(parameters: Record<string, string>): InputSource {
  return {
    read: (c) => pathValues(c, parameters),
    nameOf: (field) => parameters[field] ?? field,
  };
}

/** Path parameters, and the body as `changes`: nothing in a body can stand for a path parameter. */
export function pathAndChanges(parameters: Record<string, string>): InputSource {
  return {
    read: async (c) => ({ ...pathValues(c, parameters), changes: await readJson(c.req.raw) }),
    nameOf: (field) => (field === 'changes' ? 'body' : field.replace(/^changes\./, '')),
  };
}

/** Path parameters, with `limit` and `cursor` as `window`. */
export function pathAndWindow(parameters: Record<string, string>): InputSource {
  return {
    read: (c) => ({ ...pathValues(c, parameters), window: windowOf(c) }),
    nameOf: (field) => listParameters.nameOf(field.replace(/^window\./, '')),
  };
}

function pathValues(c: Context, parameters: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(parameters).map(([field, parameter]) => [field, c.req.param(parameter) ?? '']),
  );
}

function windowOf(c: Context): { first: unknown; after: unknown } {
  const limit = queryValue(c.req.url, 'limit');
  const isInteger = typeof limit === 'string' && /^\d+$/.test(limit);
  const first = isInteger ? Math.min(Number(limit), Number.MAX_SAFE_INTEGER) : limit;
  return { first, after: queryValue(c.req.url, 'cursor') };
}
