import type { Context, MiddlewareHandler } from 'hono';
import { Abort, type Caller, type IdempotencyKey, type Origin, type ScopeUse } from '../domain/core/context.ts';
import { ServiceError, storeUnavailable } from '../domain/core/errors.ts';
import { type RehearsedErrors, rehearse } from '../domain/core/rehearsal.ts';
import { isPreflightRequest } from '../http/request/preflight.ts';
import type { RequestEnv } from '../http/request/request-env.ts';
import { toServiceError } from '../http/response/error-status.ts';
import type { Charge, RateLimiter } from '../rate-limit/rate-limiter.ts';
import type { Store } from '../store/store.ts';
import { apiKeyOf, missingKey } from './api-key-header.ts';
import { InactiveKeyError, invalidKey, type KeyLookup, keyExpired, keyRevoked } from './key-lookup.ts';
import type { KeyUsage } from './key-usage.ts';
import { admitRehearsal, readRehearsal } from './rehearsal.ts';

export interface AuthenticationOptions {
  readonly store: Pick<Store, 'db' | 'cursorSecret'>;
  readonly keyLookup: KeyLookup;
  readonly keyUsage: Pick<KeyUsage, 'charge' | 'countScopes'>;
  readonly rateLimiter: RateLimiter;
  /** Aborted when the service stops. */
  readonly stopping?: AbortSignal | undefined;
}

/** Authenticates every request of both APIs, then charges its cost to a rate-limit budget. */
export interface Authentication {
  /**
   * Middleware that finds the caller, and sends the response only after the database has confirmed the key. A request
   * without a valid key is refused and charged to the budget of its address.
   */
  authenticate(api: Origin['api']): MiddlewareHandler<RequestEnv>;
  /**
   * Charges the cost of an authenticated request to the budget of its key, and sets the rate-limit headers. A preflight is
   * charged one point of separate budgets of its key and organization instead, and is not counted as usage of the key.
   *
   * @throws {ServiceError} `rate_limited`; nothing is charged then.
   */
  charge(c: Context<RequestEnv>, cost: number): Promise<void>;
  /**
   * Refuses an authenticated request whose key has used up its budget. Charges nothing.
   *
   * @throws {ServiceError} `rate_limited`.
   */
  requireBudget(c: Context<RequestEnv>): Promise<void>;
  /** The rate limit of an authenticated request's key, as it is before the request. Charges nothing. */
  rateLimitOf(c: Context<RequestEnv>): Promise<Charge>;
  /**
   * Rejects the header `Rehearse` of a charged request if it is not valid, and delays the request if the header asks
   * for a delay.
   *
   * @throws {ServiceError} `invalid_request`; `unavailable` when the client disconnects or the service stops.
   */
  admitRehearsal(c: Context<RequestEnv>): Promise<void>;
}

/** The errors that can occur before the caller of a request is known, for rehearsals. */
const REHEARSED_ERRORS: RehearsedErrors = {
  missing_api_key: () => missingKey(),
  invalid_api_key: invalidKey,
  key_revoked: () => keyRevoked(),
  key_expired: () => keyExpired(),
  unavailable: storeUnavailable,
};

/** Creates the authentication that both APIs share. */
export function createAuthentication({
  store,
  keyLookup,
  keyUsage,
  rateLimiter,
  stopping,
}: AuthenticationOptions): Authentication {
  const chargeBudget = async (
    c: Context<RequestEnv>,
    budget: Budget,
    cost: number,
    inPoints = false,
  ): Promise<void> => {
    const isUsedUp = c.get('rehearsal')?.code === 'rate_limited';
    const charge = isUsedUp
      ? { ...(await rateLimiter.peek(budget.name, budget.limit)), admitted: false, remaining: 0 }
      : await rateLimiter.charge(budget.name, cost, budget.limit);
    setCharge(c, budget, charge, cost);
    if (!charge.admitted) throw rateLimited(c, charge, limitMessage(charge, cost, inPoints));
  };

  /** Charges a preflight to the budgets of its key and organization. The rate-limit headers are those of the key. */
  const chargePreflight = async (c: Context<RequestEnv>, { keyId, organization }: Caller): Promise<void> => {
    const budget: Budget = { name: `preflight:${keyId}`, limit: PREFLIGHT_LIMIT };
    await chargeBudget(c, budget, 1);
    const name = `preflight:${organization.id}`;
    const charge = await rateLimiter.charge(name, 1, PREFLIGHT_LIMIT_OF_ORGANIZATION);
    if (charge.admitted) return;
    // A refused preflight takes nothing from either budget.
    await chargeBudget(c, budget, -1);
    throw rateLimited(c, charge, `The organization’s limit of ${charge.limit} preflights/minute is used up`);
  };

  const countUsage = (c: Context<RequestEnv>, { keyId }: Caller, scopeUses: ReadonlySet<ScopeUse>): void => {
    keyUsage.charge(keyId, c.get('charge')?.cost ?? 0);
    keyUsage.countScopes(keyId, scopeUses);
  };

  return {
    authenticate: (api) => async (c, next) => {
      c.set('api', api);
      const budget: Budget = { name: addressBudget(c.get('clientAddress')) };
      try {
        const hasBudget = async () => (await rateLimiter.peek(budget.name)).remaining > 0;
        const isPreflight = isPreflightRequest(c);
        c.set('isPreflight', isPreflight);
        const { caller, confirmed } = await keyLookup(apiKeyOf(c), hasBudget, !isPreflight);
        const rehearsal = caller.isRehearsal ? readRehearsal(c) : undefined;
        if (rehearsal) {
          await confirmed;
          c.set('rehearsal', rehearsal);
          rehearse(rehearsal, REHEARSED_ERRORS);
        }
        const scopeUses = new Set<ScopeUse>();
        const abort = abortOf(c);
        c.set('domain', {
          caller,
          confirmed,
          scopeUses,
          abort,
          rehearsal,
          origin: { api, requestId: c.get('requestId') },
          db: store.db.forRequest({ organizationId: caller.organization.id, abort }),
          cursorSecret: store.cursorSecret,
          idempotencyKey: idempotencyKeyOf(c),
        });
        await next();
        await confirmed;
        // Counted only after the key is confirmed: a cached key may have been revoked, or may have expired.
        if (!isPreflight) countUsage(c, caller, scopeUses);
      } catch (error) {
        discardResponse(c);
        if (error instanceof InactiveKeyError) c.set('inactiveKeyId', error.keyId);
        // If the store is unavailable, the key was not checked. Nothing is charged then, and the headers have the
        // budget of the address.
        if (toServiceError(error).code === 'unavailable') setCharge(c, budget, await rateLimiter.peek(budget.name), 0);
        else await chargeBudget(c, budget, 1);
        throw error;
      }
    },
    charge: async (c, cost) => {
      const { caller } = c.get('domain');
      if (c.get('isPreflight')) return chargePreflight(c, caller);
      await chargeBudget(c, budgetOf(caller), cost, c.get('api') === 'graphql');
    },
    requireBudget: async (c) => {
      const budget = budgetOf(c.get('domain').caller);
      const isUsedUp = c.get('rehearsal')?.code === 'rate_limited';
      if (isUsedUp || (await rateLimiter.peek(budget.name, budget.limit)).remaining < 1)
        await chargeBudget(c, budget, 1, c.get('api') === 'graphql');
    },
    rateLimitOf: (c) => {
      const { name, limit } = budgetOf(c.get('domain').caller);
      return rateLimiter.peek(name, limit);
    },
    admitRehearsal: (c) => admitRehearsal(c, stopping),
  };
}

/** A budget of the rate limiter. `limit` is in points per minute; undefined for the default. */
interface Budget {
  readonly name: string;
  readonly limit?: number | undefined;
}

/** Returns the name of the budget of requests without a valid key. @param address see `clientAddress`. */
export function addressBudget(address: string): string {
  return `address:${address}`;
}

function budgetOf({ keyId, rateLimit }: Caller): Budget {
  return { name: `key:${keyId}`, limit: rateLimit };
}

/** The preflights per minute of a key. */
const PREFLIGHT_LIMIT = 120;

/** The preflights per minute of all keys of an organization. A preflight of a large request can take 50 ms of CPU time. */
const PREFLIGHT_LIMIT_OF_ORGANIZATION = 600;

/** The error of a request that exceeds a budget; adds the time to wait to the headers of its response. */
function rateLimited(c: Context<RequestEnv>, { resetInMs }: Charge, message: string): ServiceError {
  c.get('headers')['Retry-After'] = String(Math.max(1, Math.ceil(resetInMs / 1_000)));
  return new ServiceError('rate_limited', message);
}

/** @param inPoints whether the message gives the limit in points instead of requests. */
function limitMessage({ limit, remaining }: Charge, cost: number, inPoints: boolean): string {
  if (!inPoints) return `The limit of ${limit} requests/minute is used up`;
  return remaining === 0
    ? `The limit of ${limit} points/minute is used up`
    : `This operation costs ${cost} points, and ${remaining} of the limit of ${limit} points/minute are left`;
}

/** Returns a signal that is aborted when the client closes its connection before the response is complete. */
function abortOf(c: Context<RequestEnv>): Abort {
  const abort = new Abort();
  const outgoing = c.env?.outgoing;
  outgoing?.once('close', () => {
    if (!outgoing.writableFinished) abort.abort(new ServiceError('unavailable', 'The client closed its connection'));
  });
  return abort;
}

/** Discards a response that was created before the key was found to be invalid, and its headers. */
function discardResponse(c: Context<RequestEnv>): void {
  c.res = undefined;
  c.finalized = false;
  c.set('hasHeaders', false);
  const { 'Idempotency-Replayed': _replayed, 'Retry-After': _wait, ...headers } = c.get('headers');
  c.set('headers', headers);
}

function setCharge(c: Context<RequestEnv>, { name }: Budget, charge: Charge, cost: number): void {
  const { admitted, limit, remaining, resetInMs } = charge;
  // A request can be charged more than once: counting a list costs one more point.
  const previous = c.get('charge');
  const previousCost = previous?.budget === name ? previous.cost : 0;
  c.set('charge', { budget: name, admitted, limit, remaining, resetInMs, cost: previousCost + (admitted ? cost : 0) });
  const headers = c.get('headers');
  headers['X-RateLimit-Limit'] = String(limit);
  headers['X-RateLimit-Remaining'] = String(remaining);
}

/** The Idempotency-Key header; the domain validates it. */
function idempotencyKeyOf(c: Context<RequestEnv>): IdempotencyKey | undefined {
  const key = c.req.header('idempotency-key');
  if (key === undefined) return undefined;
  return {
    key,
    replayed: () => {
      c.get('headers')['Idempotency-Replayed'] = 'true';
    },
  };
}
