import type { Context } from 'hono';
import type { OperationCall } from '../domain/core/context.ts';
import { invalidRequest } from '../domain/core/errors.ts';
import type { PreflightResult } from '../domain/core/preflight.ts';
import type { Scope } from '../domain/core/scopes.ts';

/** A request to the REST API. */
export interface RestRequest {
  readonly method: string;
  /** The path and query string: `/v1/members?limit=2`. */
  readonly path: string;
  /** Absent if the request has none. */
  readonly body?: unknown;
}

/** A request to the GraphQL API. */
export interface GraphQLRequest {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** Translates a call of an operation to REST; undefined if REST has no request for it. */
export type ToRest = (call: OperationCall) => RestRequest | undefined;

/** Translates a call of an operation to GraphQL; undefined if GraphQL has no field for it. */
export type ToGraphQL = (call: OperationCall) => GraphQLRequest | undefined;

/**
 * Whether a request has the header `Preflight: true`, in any letter case.
 *
 * @throws {ServiceError} `invalid_request` if it is combined with the header `Rehearse`, and for values other than `true`
 *   and `false`, because a request that was meant to be a preflight must not run.
 */
export function isPreflightRequest(c: Context): boolean {
  const value = c.req.header('preflight')?.toLowerCase();
  if (value === undefined || value === 'false') return false;
  if (value === 'true') {
    if (c.req.header('rehearse') === undefined) return true;
    throw invalidRequest({ field: 'Preflight', message: 'cannot be combined with Rehearse' });
  }
  throw invalidRequest({ field: 'Preflight', message: 'must be true or false' });
}

/** Returns the scopes of all given preflights without duplicates, in alphabetical order. */
export function scopesOf(results: readonly Pick<PreflightResult, 'needed' | 'missing'>[]): {
  needed: Scope[];
  missing: Scope[];
} {
  const union = (name: 'needed' | 'missing') => [...new Set(results.flatMap((result) => [...result[name]]))].sort();
  return { needed: union('needed'), missing: union('missing') };
}
