import type { Context } from 'hono';
import type { OperationCall } from '../../domain/core/context.ts';
import { invalidRequest, type ServiceError } from '../../domain/core/errors.ts';
import type { PreflightResult } from '../../domain/core/preflight.ts';
import type { Scope } from '../../domain/core/scopes.ts';
import type { RequestEnv } from './request-env.ts';

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

/** Whether a request has the header `Preflight: true` (case-insensitive), and no header `Rehearse`. */
export function isPreflightRequest(c: Context): boolean {
  return preflightHeader(c) === 'true' && c.req.header('rehearse') === undefined;
}

/**
 * Returns the error of an invalid header `Preflight`, because a request that was meant to be a preflight must not run:
 * `invalid_request` for values other than `true` and `false`, and for `true` with a header `Rehearse`. Like other input,
 * the header is checked after the scope. Requires the variable `isPreflight`, which the authentication sets.
 */
export function preflightError(c: Context<RequestEnv>): ServiceError | undefined {
  if (c.get('isPreflight')) return undefined;
  const value = preflightHeader(c);
  if (value === undefined || value === 'false') return undefined;
  const message = value === 'true' ? 'cannot be combined with Rehearse' : 'must be true or false';
  return invalidRequest({ field: 'Preflight', message });
}

function preflightHeader(c: Context): string | undefined {
  return c.req.header('preflight')?.toLowerCase();
}

/** Returns the scopes of all given preflights without duplicates, in alphabetical order. */
export function mergeScopes(results: readonly Pick<PreflightResult, 'needed' | 'missing'>[]): {
  needed: Scope[];
  missing: Scope[];
} {
  const union = (name: 'needed' | 'missing') => [...new Set(results.flatMap((result) => [...result[name]]))].sort();
  return { needed: union('needed'), missing: union('missing') };
}
