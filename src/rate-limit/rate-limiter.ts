import { setTimeout as sleep } from 'node:timers/promises';
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { RedisServers } from './redis-client.ts';
import { withFallback } from './with-fallback.ts';

/** The window of every counter: one minute from its first request (specification, "Limits"). */
const WINDOW_SECONDS = 60;

/** The state of a budget. */
export interface BudgetState {
  readonly limit: number;
  readonly remaining: number;
  /** Milliseconds until the window ends. */
  readonly resetInMs: number;
}

/** The result of a charge, with the state of the budget after it. */
interface ChargeResult extends BudgetState {
  readonly admitted: boolean;
}

/** Charges budgets that are renewed every minute. */
export interface RateLimiter {
  /** The default limit of a budget, in points per minute. */
  readonly limit: number;
  /**
   * Charges `cost` points to a budget if that many remain; otherwise charges none.
   *
   * @param limit the points per minute of this budget. Default: {@link RateLimiter.limit}.
   */
  charge(budget: string, cost: number, limit?: number): Promise<ChargeResult>;
  /** Returns the state of a budget. Charges no points. */
  peek(budget: string, limit?: number): Promise<BudgetState>;
  close(): Promise<void>;
}

/** A limiter in the memory of this process, for a single instance. */
export function createMemoryRateLimiter(limit: number): RateLimiter {
  return createLimiter(limit, (points) => {
    const counters = new RateLimiterMemory({ points, duration: WINDOW_SECONDS });
    return { counters, consume: queueCharges(counters) };
  });
}

export interface RedisRateLimiterOptions {
  readonly servers: RedisServers;
  readonly limit: number;
  /** The number of instances that share Redis. While it is unavailable, each instance allows its share of the limit. */
  readonly instances?: number;
  /** The prefix of the keys in Redis. */
  readonly prefix?: string;
  readonly onError: (error: unknown) => void;
}

/** Charges points atomically, and only if enough remain: unlike the library's script, it does not count rejected requests. */
const CHARGE_SCRIPT = `
  redis.call('set', KEYS[1], 0, 'EX', ARGV[2], 'NX')
  local consumed = tonumber(redis.call('get', KEYS[1])) + tonumber(ARGV[1])
  if consumed <= tonumber(ARGV[3]) then redis.call('incrby', KEYS[1], ARGV[1]) end
  return {consumed, redis.call('pttl', KEYS[1])}`;

/** A limiter in Redis, shared by all instances. While Redis is unavailable, each instance counts in memory. */
export async function createRedisRateLimiter(options: RedisRateLimiterOptions): Promise<RateLimiter> {
  // Loaded on demand: its client takes 17 MB of memory.
  const { CONNECT_TIMEOUT_MS, connectWithRetries, createRedisClient } = await import('./redis-client.ts');
  const client = createRedisClient(options.servers);
  client.on('error', options.onError);
  // Redis may be unreachable at start-up; the client connects as soon as it can.
  const closing = new AbortController();
  const connected = connectWithRetries(client, options.onError, closing.signal);
  await Promise.race([connected, sleep(CONNECT_TIMEOUT_MS, undefined, { ref: false })]);
  const shared = createLimiter(options.limit, (points) => {
    const counters = new RateLimiterRedis({
      storeClient: client,
      useRedisPackage: true,
      rejectIfRedisNotReady: true,
      keyPrefix: options.prefix ?? 'cms:rate',
      points,
      duration: WINDOW_SECONDS,
      customIncrTtlLuaScript: CHARGE_SCRIPT,
    });
    return { counters, consume: (budget, cost) => counters.consume(budget, cost) };
  });
  const call = withFallback(shared, createShareLimiter(options.limit, options.instances ?? 1), options.onError);
  return {
    limit: options.limit,
    charge: (budget, cost, limit) => call((limiter) => limiter.charge(budget, cost, limit)),
    peek: (budget, limit) => call((limiter) => limiter.peek(budget, limit)),
    async close() {
      closing.abort();
      await client.destroy();
    },
  };
}

/** A limiter in memory for one of several instances, each of which gets an equal share of every limit. */
function createShareLimiter(defaultLimit: number, instances: number): RateLimiter {
  const shareOf = (limit: number) => Math.max(1, Math.floor(limit / instances));
  const memory = createMemoryRateLimiter(shareOf(defaultLimit));
  return {
    ...memory,
    charge: (budget, cost, limit) => memory.charge(budget, cost, limit && shareOf(limit)),
    peek: (budget, limit) => memory.peek(budget, limit && shareOf(limit)),
  };
}

type Consume = (budget: string, cost: number) => Promise<RateLimiterRes>;

/** The counters of all budgets with one limit. */
interface Counters {
  readonly counters: RateLimiterAbstract;
  readonly consume: Consume;
}

function createLimiter(defaultLimit: number, createCounters: (points: number) => Counters): RateLimiter {
  const byLimit = new Map<number, Counters>();
  const countersOf = (limit: number): Counters => {
    const existing = byLimit.get(limit) ?? createCounters(limit);
    byLimit.set(limit, existing);
    return existing;
  };
  const stateOf = (limit: number, consumed: number, resetInMs: number): BudgetState => ({
    limit,
    remaining: Math.max(limit - consumed, 0),
    // The clock may have been set back or forward since the window began.
    resetInMs: Math.min(Math.max(resetInMs, 0), WINDOW_SECONDS * 1_000),
  });
  return {
    limit: defaultLimit,
    async charge(budget, cost, limit = defaultLimit) {
      try {
        const counted = await countersOf(limit).consume(budget, cost);
        return { admitted: true, ...stateOf(limit, counted.consumedPoints, counted.msBeforeNext) };
      } catch (refused) {
        if (!(refused instanceof RateLimiterRes)) throw refused;
        return { admitted: false, ...stateOf(limit, refused.consumedPoints - cost, refused.msBeforeNext) };
      }
    },
    async peek(budget, limit = defaultLimit) {
      const counted = await countersOf(limit).counters.get(budget);
      // The timer that deletes the counter may be late.
      const hasEnded = counted === null || counted.msBeforeNext <= 0;
      if (hasEnded) return stateOf(limit, 0, WINDOW_SECONDS * 1_000);
      return stateOf(limit, counted.consumedPoints, counted.msBeforeNext);
    },
    async close() {},
  };
}

/**
 * Runs the charges of a budget one after another. The library counts a charge before it refuses it, and returns the
 * points in a second step; a concurrent charge would be refused because of points that are about to be returned.
 */
function queueCharges(counters: RateLimiterMemory): Consume {
  const tails = new Map<string, Promise<void>>();
  const chargeAllOrNone = async (budget: string, cost: number) => {
    try {
      return await counters.consume(budget, cost);
    } catch (refused) {
      const returned = await counters.reward(budget, cost);
      // If the window has ended since the points were charged, they would be added to the next window.
      if (returned.consumedPoints < 0) await counters.set(budget, 0, WINDOW_SECONDS);
      throw refused;
    }
  };
  return (budget, cost) => {
    const before = tails.get(budget);
    const turn = before ? before.then(() => chargeAllOrNone(budget, cost)) : chargeAllOrNone(budget, cost);
    const done = () => {
      if (tails.get(budget) === tail) tails.delete(budget);
    };
    const tail = turn.then(done, done);
    tails.set(budget, tail);
    return turn;
  };
}
