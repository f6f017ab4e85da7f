import type { Context, MiddlewareHandler, Next } from 'hono';
import type { ChangeWatch } from '../domain/changes/change-watch.ts';
import { Abort, type ApiRequest, type Caller, type IdempotencyKey, type ScopeUse } from '../domain/core/context.ts';
import { InactiveKeyError, invalidRequest, ServiceError } from '../domain/core/errors.ts';
import { yieldToEventLoop } from '../http/request/event-loop.ts';
import type { RequestEnv } from '../http/request/request-env.ts';
import type { RateLimiter } from '../rate-limit/rate-limiter.ts';
import type { Store } from '../store/store.ts';
import { addressBudget, chargeBudget, keyBudget, keyBudgetName, setCharge } from './budgets.ts';
import type { KeyLookup } from './key-lookup.ts';
import type { KeyUsage } from './key-usage.ts';

export interface AuthenticationOptions {
  readonly store: Pick<Store, 'db' | 'appSecret'>;
  readonly keyLookup: KeyLookup;
  readonly keyUsage: Pick<KeyUsage, 'charge' | 'countRequest'>;
  readonly rateLimiter: RateLimiter;
  readonly changeWatch?: ChangeWatch;
}

/** Authenticates every request of both APIs, then charges its cost to a rate-limit budget. */
export interface Authentication {
  /** Middleware that finds the caller. A request without a valid key is refused and charged to the budget of its address. */
  authenticate(api: ApiRequest['api']): MiddlewareHandler<RequestEnv>;
  /**
   * Middleware that charges the first point of an authenticated request, before its body is read, so that no request is
   * free. A request with a long URL or headers then waits for its turn.
   */
  readonly chargeRequest: MiddlewareHandler<RequestEnv>;
  /**
   * Charges points of an authenticated request to the budget of its key, and sets the rate-limit headers.
   *
   * @throws {ServiceError} `rate_limited`; none of these points is charged then, but those charged before remain.
   */
  charge(c: Context<RequestEnv>, cost: number): Promise<void>;
  /**
   * Charges points of a stream, whose response has begun, to the budget of the key of its caller.
   *
   * @returns undefined, or the milliseconds until the budget is renewed if it has too few points; then none is charged.
   */
  chargeStream(caller: Caller, cost: number): Promise<number | undefined>;
}

/** Creates the authentication that both APIs share. */
export function createAuthentication(options: AuthenticationOptions): Authentication {
  const { rateLimiter, keyUsage } = options;
  const charge: Authentication['charge'] = (c, cost) => chargeBudget(rateLimiter, c, keyBudget(c), cost);
  return {
    authenticate: (api) => async (c, next) => {
      c.set('api', api);
      try {
        await runAuthenticated(options, c, next);
      } catch (error) {
        if (error instanceof InactiveKeyError) c.set('inactiveKeyId', error.keyId);
        await chargeUnauthenticated(rateLimiter, c, error);
        throw error;
      }
    },
    chargeRequest: async (c, next) => {
      await charge(c, 1);
      if (c.req.header('x-idempotency-key') !== undefined) throw wrongIdempotencyHeader();
      await yieldToEventLoop(c, headLength(c));
      await next();
    },
    charge,
    async chargeStream({ keyId, rateLimit }, cost) {
      const { allowed, resetInMs } = await rateLimiter.charge(keyBudgetName(keyId), cost, rateLimit);
      if (!allowed) return Math.max(1, resetInMs);
      keyUsage.charge(keyId, cost);
      return undefined;
    },
  };
}

/** The error for a header that other services read: if it were ignored, a retry would write again. */
function wrongIdempotencyHeader(): ServiceError {
  return invalidRequest({ field: 'X-Idempotency-Key', message: 'is not read; send it as Idempotency-Key' });
}

/** The characters of the URL and the headers of a request. */
function headLength({ env, req }: Context<RequestEnv>): number {
  let { length } = req.url;
  for (const text of env?.incoming?.rawHeaders ?? []) length += text.length;
  return length;
}

/** Finds the caller of a request, runs the request, and counts the usage of the key. */
async function runAuthenticated(
  { store, keyLookup, keyUsage, rateLimiter, changeWatch }: AuthenticationOptions,
  c: Context<RequestEnv>,
  next: Next,
): Promise<void> {
  const { name } = addressBudget(c.get('clientAddress'));
  const hasBudget = async () => (await rateLimiter.peek(name)).remaining > 0;
  const { caller, minimumVersion } = await keyLookup(apiKeyOf(c), hasBudget);
  const scopeUses = new Set<ScopeUse>();
  const abort = abortOf(c);
  c.set('domainContext', {
    caller,
    scopeUses,
    abort,
    apiRequest: { api: c.get('api'), requestId: c.get('requestId') },
    db: store.db.forRequest({ organizationId: caller.organization.id, abort, minimumVersion }),
    appSecret: store.appSecret,
    idempotencyKey: idempotencyKeyOf(c),
    changeWatch,
  });
  await next();
  keyUsage.charge(caller.keyId, c.get('charge')?.cost ?? 0);
  keyUsage.countRequest(caller.keyId, scopeUses, c.get('failure') !== undefined);
}

/**
 * Charges a request without a valid key to the budget of its address. If the key could not be checked, because the store
 * is unavailable or because of an internal error, nothing is charged, and only the rate-limit headers are set.
 */
async function chargeUnauthenticated(rateLimiter: RateLimiter, c: Context<RequestEnv>, error: unknown): Promise<void> {
  const budget = addressBudget(c.get('clientAddress'));
  const isRefused = error instanceof ServiceError && error.code !== 'unavailable';
  if (isRefused) await chargeBudget(rateLimiter, c, budget, 1);
  else setCharge(c, budget, await rateLimiter.peek(budget.name));
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

/** The Idempotency-Key header; the domain validates it. */
function idempotencyKeyOf(c: Context<RequestEnv>): IdempotencyKey | undefined {
  const key = c.req.header('idempotency-key');
  if (key === undefined) return undefined;
  // Does not refer to the request, which a stream would keep in memory.
  const headers = c.get('headers');
  return {
    key,
    replayed: () => {
      headers['Idempotency-Replayed'] = 'true';
    },
  };
}

/** Text that is often sent together with the key by mistake. */
const MISTAKES = [
  { pattern: /^["'\u2018\u201c]|["'\u2019\u201d]$/, name: 'quotation marks' },
  { pattern: /^Bearer\s/i, name: '"Bearer"' },
  { pattern: /^\S+\s+cms_|^[<{[(].*[>}\])]$/s, name: 'other text, such as a word before it or brackets around it' },
];

/**
 * The API key of a request, from the header `X-Api-Key`. A repeated header is joined by commas, which keys do not contain.
 *
 * @throws {ServiceError} `missing_api_key`, or `invalid_api_key` for a known mistake, such as quotation marks.
 */
function apiKeyOf(c: Context): string {
  const key = c.req.header('x-api-key');
  if (!key || key.includes(',')) {
    if (!key && c.req.header('access-control-request-method'))
      throw missingKey(', from a server: pages in browsers cannot');
    throw missingKey(!key && c.req.header('authorization') ? ', not in Authorization' : '');
  }
  const mistake = MISTAKES.find(({ pattern }) => pattern.test(key));
  if (mistake) throw new ServiceError('invalid_api_key', `Send the API key alone, without ${mistake.name}`);
  return key;
}

/** The error of a request without a key. @param elsewhere where the key was sent instead. */
export function missingKey(elsewhere = ''): ServiceError {
  return new ServiceError('missing_api_key', `Send your API key, once, in the header X-Api-Key${elsewhere}`);
}
