import type { Context } from 'hono';
import { z } from 'zod';
import type { ServiceError } from '../../domain/core/errors.ts';
import { isRefusal, preflight } from '../../domain/core/preflight.ts';
import { ALL_SCOPES, type Scope } from '../../domain/core/scopes.ts';
import { mergeScopes, type ToGraphQL } from '../../http/request/preflight.ts';
import type { RequestEnv } from '../../http/request/request-env.ts';
import { respond } from '../../http/response/response.ts';
import type { BudgetState } from '../../rate-limit/rate-limiter.ts';
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
          needed: scopes.meta({ description: 'The scopes that the request needs.' }),
          missing: scopes.meta({ description: 'The needed scopes that the key lacks.' }),
        })
        .meta({ description: 'The scopes that the request needs, and which of them the key lacks.' }),
      max_records: z
        .int()
        .nullable()
        .meta({ description: 'The maximum number of records in the response; null if it is not known beforehand.' }),
      refusal: z
        .object({
          code: z.string(),
          message: z.string(),
          details: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
        })
        .nullable()
        .meta({
          description:
            'The `error` that the request would get; null if there is none. Errors that depend on records are not included.',
        }),
      graphql: z
        .object({ query: z.string(), variables: z.record(z.string(), z.unknown()) })
        .nullable()
        .meta({
          description: 'The same request as a GraphQL operation; null if the request has invalid values.',
        }),
      rate_limit: z
        .object({
          limit: z.int().meta({ description: 'The points per minute of the key.' }),
          remaining: z.int().meta({ description: 'The points left in the current window.' }),
          reset_at: z.iso.datetime().meta({ description: 'When all points are available again.' }),
        })
        .meta({ description: 'The rate limit of the key for ordinary requests. Preflights are not charged to it.' }),
    }),
  })
  .meta({
    id: 'Preflight',
    description:
      'The result of a preflight: a request with the header `Preflight: true`, which is checked but not run.',
  });

/** The request that a preflight checks. It is read by the same code as an ordinary request of its route. */
export interface PreflightRequest {
  /** Reads the input; called after the scope check. Throws the errors of a request that cannot be read. */
  readonly read: () => Promise<unknown>;
  /** Returns the points that the request costs, once it is read. */
  readonly cost: () => number;
  /** Returns the error with the field names of the request instead of those of the input. */
  readonly rename: (error: unknown) => unknown;
  /** Returns the rate limit of the key. */
  readonly rateLimit: () => Promise<BudgetState>;
}

/**
 * Checks a request without running it, and returns a response with {@link preflightSchema}.
 *
 * @throws errors that are not caused by the request, such as `unavailable`.
 */
export async function preflightResponse(
  c: Context<RequestEnv>,
  { operation, output }: Route,
  { read, cost, rename, rateLimit }: PreflightRequest,
  toGraphQL: ToGraphQL,
): Promise<Response> {
  const result = await preflight(c.get('domain'), (context) => operation(context, read, output.fields));
  const { refusal, error } = result;
  if (refusal !== undefined && !isRefusal(refusal)) throw refusal;
  const [call] = result.calls;
  const { limit, remaining, resetInMs } = await rateLimit();
  const body: z.output<typeof preflightSchema>['preflight'] = {
    cost: cost(),
    scopes: mergeScopes([result]),
    max_records: call ? output.maxRecords(call.parsed) : null,
    refusal: refusal === undefined ? null : errorBody(rename(refusal) as ServiceError),
    graphql: (call && error === undefined && toGraphQL(call)) || null,
    rate_limit: { limit, remaining, reset_at: new Date(Date.now() + resetInMs).toISOString() },
  };
  return respond(c, JSON.stringify({ preflight: body }), 200, { 'Content-Type': 'application/json' });
}
