import type { Context, MiddlewareHandler } from 'hono';
import { Abort, type Caller, type IdempotencyKey, type Origin } from '../domain/core/context.ts';
import { ServiceError } from '../domain/core/errors.ts';
import type { Scope } from '../domain/core/scopes.ts';
import { toServiceError } from '../http/error-status.ts';
import type { RequestEnv } from '../http/request-env.ts';
import type { Charge, RateLimiter } from '../rate-limit/rate-limiter.ts';
import type { Store } from '../store/store.ts';
import type { KeyLookup } from './key-lookup.ts';
import type { KeyUsage } from './key-usage.ts';

export interface AuthenticationOptions {
  readonly store: Pick<Store, 'db' | 'cursorSecret'>;
  readonly keyLookup: KeyLookup;
  readonly keyUsage: Pick<KeyUsage, 'charge' | 'countScopes'>;
  readonly rateLimiter: RateLimiter;
}

/** Authenticates and charges every request of both APIs: first the key, then the points. */
export interface Authentication {
  /**
   * Finds the caller, and lets an answer leave when the database has confirmed the key; a request without a
   * valid key is counted by its address and refused.
   */
  authenticate(api: Origin['api']): MiddlewareHandler<RequestEnv>;
  /**
   * Takes the cost of an identified request from its key's budget and sets the rate headers.
   *
   * @throws {ServiceError} `rate_limited`; then nothing was taken.
   */
  charge(c: Context<RequestEnv>, cost: number): Promise<void>;
  /**
   * Refuses an identified request whose key has nothing left of its budget; takes nothing.
   *
   * @throws {ServiceError} `rate_limited`.
   */
  requireBudget(c: Context<RequestEnv>): Promise<void>;
}

/** Creates the authentication that both APIs share. */
export function createAuthentication({
  store,
  keyLookup,
  keyUsage,
  rateLimiter,
}: AuthenticationOptions): Authentication {
  const take = async (c: Context<RequestEnv>, budget: Budget, cost: number, inPoints = false): Promise<void> => {
    const charge = await rateLimiter.charge(budget.name, cost, budget.limit);
    show(c, charge, cost);
    if (!charge.admitted) {
      c.get('headers')['Retry-After'] = String(Math.max(1, Math.ceil(charge.resetInMs / 1_000)));
      throw new ServiceError('rate_limited', limitMessage(charge, cost, inPoints));
    }
  };

  return {
    authenticate: (api) => async (c, next) => {
      c.set('api', api);
      const addressBudget: Budget = { name: `address:${c.get('clientAddress')}` };
      try {
        const hasBudget = async () => (await rateLimiter.peek(addressBudget.name)).remaining > 0;
        const { caller, confirmed } = await keyLookup(sentKey(c), hasBudget);
        const usedScopes = new Set<Scope>();
        const abort = abortOf(c);
        c.set('domain', {
          ...{ caller, confirmed, usedScopes, abort },
          origin: { api, requestId: c.get('requestId') },
          db: store.db.forRequest({ organizationId: caller.organization.id, abort }),
          cursorSecret: store.cursorSecret,
          idempotencyKey: sentIdempotencyKey(c),
        });
        await next();
        await confirmed;
        keyUsage.countScopes(caller.keyId, usedScopes);
      } catch (error) {
        discardResponse(c);
        // A store out of reach says nothing about the key: the address is shown its budget, not charged.
        if (toServiceError(error).code === 'unavailable') show(c, await rateLimiter.peek(addressBudget.name), 0);
        else await take(c, addressBudget, 1);
        throw error;
      }
    },
    charge: async (c, cost) => {
      const { caller } = c.get('domain');
      await take(c, budgetOf(caller), cost, c.get('api') === 'graphql');
      keyUsage.charge(caller.keyId, cost);
    },
    requireBudget: async (c) => {
      const budget = budgetOf(c.get('domain').caller);
      if ((await rateLimiter.peek(budget.name, budget.limit)).remaining < 1)
        await take(c, budget, 1, c.get('api') === 'graphql');
    },
  };
}

/** A budget of the rate limiter; `limit` is its own limit in points per minute. */
interface Budget {
  readonly name: string;
  readonly limit?: number | undefined;
}

function budgetOf({ keyId, rateLimit }: Caller): Budget {
  return { name: `key:${keyId}`, limit: rateLimit };
}

/** @param inPoints whether what counts are the points of operations, and not requests. */
function limitMessage({ limit, remaining }: Charge, cost: number, inPoints: boolean): string {
  if (!inPoints) return `The limit of ${limit} requests/minute is used up`;
  return remaining === 0
    ? `The limit of ${limit} points/minute is used up`
    : `This operation costs ${cost} points, and ${remaining} of the limit of ${limit} points/minute are left`;
}

/** Given up when the client closes its connection before it is answered. */
function abortOf(c: Context<RequestEnv>): Abort {
  const abort = new Abort();
  const outgoing = c.env?.outgoing;
  outgoing?.once('close', () => {
    if (!outgoing.writableFinished) abort.abort(new ServiceError('unavailable', 'The client closed its connection'));
  });
  return abort;
}

/** What was answered before the key was found wanting is not said, nor the headers that told of it. */
function discardResponse(c: Context<RequestEnv>): void {
  c.res = undefined;
  c.finalized = false;
  c.set('isAnswered', false);
  const { 'Idempotency-Replayed': _replayed, 'Retry-After': _wait, ...headers } = c.get('headers');
  c.set('headers', headers);
}

function show(c: Context<RequestEnv>, charge: Charge, cost: number): void {
  c.set('charge', { ...charge, cost: charge.admitted ? cost : 0 });
  const headers = c.get('headers');
  headers['X-RateLimit-Limit'] = String(charge.limit);
  headers['X-RateLimit-Remaining'] = String(charge.remaining);
}

/** The caller's own name for a write; the domain checks it where it is used. */
function sentIdempotencyKey(c: Context<RequestEnv>): IdempotencyKey | undefined {
  const key = c.req.header('idempotency-key');
  if (key === undefined) return undefined;
  return {
    key,
    replayed: () => {
      c.get('headers')['Idempotency-Replayed'] = 'true';
    },
  };
}

/** What keys are sent with that is no part of them. */
const KEY_PREFIX_MISTAKES = [
  { pattern: /^["'\u2018\u201c]|["'\u2019\u201d]$/, name: 'quotation marks' },
  { pattern: /^Bearer\s/i, name: '"Bearer"' },
];

/** A header sent twice arrives joined by a comma, which no key contains. */
function sentKey(c: Context): string {
  const key = c.req.header('x-api-key');
  if (!key || key.includes(',')) {
    const elsewhere = !key && c.req.header('authorization') ? ', not in Authorization' : '';
    throw new ServiceError('missing_api_key', `Send your API key, once, in the header X-Api-Key${elsewhere}`);
  }
  const surplus = KEY_PREFIX_MISTAKES.find(({ pattern }) => pattern.test(key));
  if (surplus) throw new ServiceError('invalid_api_key', `Send the API key alone, without ${surplus.name}`);
  return key;
}
