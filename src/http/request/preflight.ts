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

/** Whether a request has the header `Preflight: true` (case-insensitive). */
export function isPreflightRequest(c: Context): boolean {
  return preflightHeader(c) === 'true';
}

/**
 * Returns the error of an invalid header `Preflight`, because a request that was meant to be a preflight must not run:
 * `invalid_request` for values other than `true` and `false`. Like other input, the header is checked after the scope.
 * Requires the variable `isPreflight`, which the authentication sets.
 */
export function preflightError(c: Context<RequestEnv>): ServiceError | undefined {
  if (c.get('isPreflight')) return undefined;
  const value = preflightHeader(c);
  if (value === undefined || value === 'false') return undefined;
  return invalidRequest({ field: 'Preflight', message: 'must be true or false' });
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
