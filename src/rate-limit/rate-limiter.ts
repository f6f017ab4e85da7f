import { LRUCache } from 'lru-cache';
import { RateLimiterRedis, type RateLimiterRes } from 'rate-limiter-flexible';
import { createFallback, type RedisFault, respondsInTime } from './fallback.ts';

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
  readonly allowed: boolean;
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

/** What a budget has consumed in its current window. */
interface Consumption {
  readonly consumed: number;
  /** Milliseconds until the window ends. */
  readonly resetInMs: number;
}

function stateOf(limit: number, { consumed, resetInMs }: Consumption): BudgetState {
  return {
    limit,
    remaining: Math.max(limit - consumed, 0),
    // The clock of Redis may have been set back or forward since the window began.
    resetInMs: Math.min(resetInMs, WINDOW_SECONDS * 1_000),
  };
}

/**
 * The maximum number of counters in memory: of more budgets within a minute, those that were charged least recently are
 * counted anew. Otherwise, requests from many addresses would take any amount of memory.
 */
const MAX_COUNTERS = 100_000;

/** Counters in the memory of this process. */
class MemoryCounters {
  readonly #counters = new LRUCache<string, { readonly consumed: number; readonly endsAt: number }>({
    max: MAX_COUNTERS,
  });

  read(budget: string): Consumption {
    const { consumed = 0, endsAt = 0 } = this.#counters.get(budget) ?? {};
    const resetInMs = Math.round(endsAt - performance.now());
    return resetInMs > 0 ? { consumed, resetInMs } : { consumed: 0, resetInMs: WINDOW_SECONDS * 1_000 };
  }

  /** Replaces what a budget has consumed in a window. */
  set(budget: string, { consumed, resetInMs }: Consumption): void {
    this.#counters.set(budget, { consumed, endsAt: performance.now() + resetInMs });
  }

  /** Charges a budget, whole or not at all. */
  charge(budget: string, cost: number, limit: number): Consumption & { readonly allowed: boolean } {
    const { consumed, resetInMs } = this.read(budget);
    const allowed = consumed + cost <= limit;
    const after = { consumed: allowed ? consumed + cost : consumed, resetInMs };
    if (allowed) this.set(budget, after);
    return { allowed, ...after };
  }
}

/** A limiter in the memory of this process, for a single instance. */
export function createMemoryRateLimiter(limit: number): RateLimiter {
  const counters = new MemoryCounters();
  return {
    limit,
    async charge(budget, cost, ownLimit = limit) {
      const { allowed, ...consumption } = counters.charge(budget, cost, ownLimit);
      return { allowed, ...stateOf(ownLimit, consumption) };
    },
    peek: async (budget, ownLimit = limit) => stateOf(ownLimit, counters.read(budget)),
    async close() {},
  };
}

export interface RedisRateLimiterOptions {
  /** The URL of the Redis server. */
  readonly url: string;
  readonly limit: number;
  /** The number of instances that share Redis. While it is unavailable, each instance allows its share of the limit. */
  readonly instances?: number;
  /** The prefix of the keys in Redis. */
  readonly prefix?: string;
  readonly fault: RedisFault;
}

/** The maximum number of limiters, one for each limit of keys. */
const MAX_LIMITERS = 100;

/** Charges points atomically, and only if enough remain: unlike the library's script, it does not count rejected requests. */
const CHARGE_SCRIPT = `
  redis.call('set', KEYS[1], 0, 'EX', ARGV[2], 'NX')
  local consumed = tonumber(redis.call('get', KEYS[1])) + tonumber(ARGV[1])
  if consumed <= tonumber(ARGV[3]) then redis.call('incrby', KEYS[1], ARGV[1]) end
  return {consumed, redis.call('pttl', KEYS[1])}`;

/** The consumption that Redis counted. */
function consumptionIn(counted: RateLimiterRes | null): Consumption {
  if (counted === null || counted.msBeforeNext <= 0) return { consumed: 0, resetInMs: WINDOW_SECONDS * 1_000 };
  return { consumed: counted.consumedPoints, resetInMs: counted.msBeforeNext };
}

/**
 * A limiter in Redis, shared by all instances. While Redis is unavailable, each instance counts in memory. The library's
 * `insuranceLimiter` is not used: it starts with a full budget, and Redis with what it counted before, so a client could
 * get both.
 */
export async function createRedisRateLimiter(options: RedisRateLimiterOptions): Promise<RateLimiter> {
  const { url, instances = 1, fault } = options;
  // Loaded on demand: the client takes 17 MB of memory.
  const { connectToRedis } = await import('./redis-client.ts');
  const client = await connectToRedis(url, (error) => fault.report(error));
  const limiters = new LRUCache<number, RateLimiterRedis>({
    max: MAX_LIMITERS,
    memoMethod: (points) =>
      new RateLimiterRedis({
        storeClient: client,
        useRedisPackage: true,
        rejectIfRedisNotReady: true,
        keyPrefix: options.prefix ?? 'cms:rate',
        points,
        duration: WINDOW_SECONDS,
        customIncrTtlLuaScript: CHARGE_SCRIPT,
      }),
  });
  /** What Redis last reported of each budget. */
  const reported = new MemoryCounters();
  /** What this instance allowed without Redis, times the number of instances, as each may have allowed as much. */
  const unreported = new MemoryCounters();
  const limitAlone = (limit: number) => Math.max(limit, instances);
  const stateAlone = (limit: number, consumed: number, resetInMs: number): BudgetState => {
    const remaining = Math.floor(Math.max(limitAlone(limit) - consumed, 0) / instances);
    return { ...stateOf(limit, { consumed: 0, resetInMs }), remaining };
  };
  const stateShared = (limit: number, inRedis: Consumption, alone: Consumption): BudgetState => {
    const resetInMs = alone.consumed > 0 ? Math.max(inRedis.resetInMs, alone.resetInMs) : inRedis.resetInMs;
    return stateOf(limit, { consumed: inRedis.consumed + alone.consumed, resetInMs });
  };
  const call = createFallback(fault);
  /** The budget that was charged last. Of several, only some may fail, such as those of one node of a cluster. */
  let lastCharged = 'check';
  // Charges nothing, but writes as a charge does: a server that refuses writes still responds to PING.
  fault.endWhen(() => respondsInTime(limiters.memo(0).penalty(lastCharged, 0)));
  return {
    limit: options.limit,
    charge: (budget, cost, limit = options.limit) =>
      call<ChargeResult>(
        async () => {
          lastCharged = budget;
          const points = limit - unreported.read(budget).consumed;
          const counted = await limiters.memo(points).penalty(budget, cost);
          const isCharged = counted.consumedPoints <= points;
          const consumed = isCharged ? counted.consumedPoints : counted.consumedPoints - cost;
          const inRedis = { consumed, resetInMs: Math.max(counted.msBeforeNext, 0) };
          reported.set(budget, inRedis);
          // Meanwhile, later requests may have given up waiting for Redis.
          const alone = unreported.read(budget);
          return {
            allowed: isCharged && consumed + alone.consumed <= limit,
            ...stateShared(limit, inRedis, alone),
          };
        },
        async () => {
          const { consumed } = reported.read(budget);
          const charged = unreported.charge(budget, cost * instances, limitAlone(limit) - consumed);
          return {
            allowed: charged.allowed,
            ...stateAlone(limit, consumed + charged.consumed, charged.resetInMs),
          };
        },
      ),
    peek: (budget, limit = options.limit) =>
      call(
        async () => stateShared(limit, consumptionIn(await limiters.memo(limit).get(budget)), unreported.read(budget)),
        async () => {
          const [{ consumed }, alone] = [reported.read(budget), unreported.read(budget)];
          return stateAlone(limit, consumed + alone.consumed, alone.resetInMs);
        },
      ),
    async close() {
      client.destroy();
    },
  };
}
