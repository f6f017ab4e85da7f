import type { Context } from 'hono';
import { z } from 'zod';
import type { ServiceError } from '../../domain/core/errors.ts';
import { isRefusal, preflight } from '../../domain/core/preflight.ts';
import { ALL_SCOPES, type Scope } from '../../domain/core/scopes.ts';
import { scopesOf, type ToGraphQL } from '../../http/preflight.ts';
import type { RequestEnv } from '../../http/request-env.ts';
import { respond } from '../../http/response.ts';
import type { Charge } from '../../rate-limit/rate-limiter.ts';
import { errorBody } from '../error.ts';
import type { Route } from '../routes.ts';

const scopes = z.array(z.enum(ALL_SCOPES as [Scope, ...Scope[]]));

/** The body of the response to a request with the header `Preflight: true`. */
export const preflightSchema = z
  .object({
    preflight: z.object({
      cost: z.int().min(1).meta({ description: 'The points of the rate limit that the request would cost.' }),
      scopes: z
        .object({
          needed: scopes.meta({ description: 'The scopes that it needs.' }),
          missing: scopes.meta({ description: 'Those of them that the key lacks.' }),
        })
        .meta({ description: 'The scopes of the request and of the key.' }),
      max_records: z
        .int()
        .nullable()
        .meta({ description: 'The maximum number of records that it returns; null if that is not known beforehand.' }),
      refusal: z
        .object({
          code: z.string(),
          message: z.string(),
          details: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
        })
        .nullable()
        .meta({
          description: 'The `error` that the request would get before it reads a record; null if it would run.',
        }),
      graphql: z
        .object({ query: z.string(), variables: z.record(z.string(), z.unknown()) })
        .nullable()
        .meta({ description: 'The GraphQL operation that returns the same; null if the request has invalid values.' }),
      rate_limit: z
        .object({
          limit: z.int().meta({ description: 'The points per minute of the key.' }),
          remaining: z.int().meta({ description: 'The points that are left.' }),
          reset_at: z.iso.datetime().meta({ description: 'When all points are available again.' }),
        })
        .meta({ description: 'The rate limit of the key. A preflight takes nothing from it.' }),
    }),
  })
  .meta({
    id: 'Preflight',
    description: 'What a request with the header `Preflight: true` would do. It is not run, and costs nothing.',
  });

/** The request of a preflight. It is read by the same code as an ordinary request of its route. */
export interface RouteRequest {
  /** Reads the input; called after the scope check. Throws the errors of a request that cannot be read. */
  readonly read: () => Promise<unknown>;
  /** The points that the request costs, as determined from the part that was read. */
  readonly cost: () => number;
  /** Returns the error with the names that its fields have in the request. */
  readonly rename: (error: unknown) => unknown;
  /** Returns the rate limit of the key. */
  readonly rateLimit: () => Promise<Charge>;
}

/**
 * Returns the cost of a request, the scopes that it requires, and the error that it would get, without running it.
 *
 * @throws errors that are not caused by the request, such as `unavailable`.
 */
export async function preflightResponse(
  c: Context<RequestEnv>,
  { operation, output }: Route,
  { read, cost, rename, rateLimit }: RouteRequest,
  toGraphQL: ToGraphQL,
): Promise<Response> {
  const result = await preflight(c.get('domain'), (context) => operation(context, read, output.fields));
  const { refusal, error } = result;
  if (refusal !== undefined && !isRefusal(refusal)) throw refusal;
  const [call] = result.calls;
  const { limit, remaining, resetInMs } = await rateLimit();
  const body: z.output<typeof preflightSchema>['preflight'] = {
    cost: cost(),
    scopes: scopesOf([result]),
    max_records: call ? output.maxRecords(call.parsed) : null,
    refusal: refusal === undefined ? null : errorBody(rename(refusal) as ServiceError),
    graphql: (call && error === undefined && toGraphQL(call)) || null,
    rate_limit: { limit, remaining, reset_at: new Date(Date.now() + resetInMs).toISOString() },
  };
  return respond(c, JSON.stringify({ preflight: body }), 200, { 'Content-Type': 'application/json' });
}
