import { setTimeout as sleep } from 'node:timers/promises';
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { RedisClient, RedisServers } from './redis-client.ts';

/** The window of every counter: one minute from its first request (specification, "Limits"). */
const WINDOW_SECONDS = 60;

/** What a charge left of a budget. */
export interface Charge {
  readonly admitted: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Milliseconds until the window ends. */
  readonly resetInMs: number;
}

/** Counts requests against a budget a minute. */
export interface RateLimiter {
  /** Units a minute. */
  readonly limit: number;
  /** Takes `cost` units from a budget, whole or not at all. */
  charge(budget: string, cost: number): Promise<Charge>;
  /** What a budget has left; takes nothing. */
  peek(budget: string): Promise<Charge>;
  close(): Promise<void>;
}

/** A limiter in this process's memory: for one instance. */
export function createMemoryRateLimiter(limit: number): RateLimiter {
  const counters = new RateLimiterMemory({ points: limit, duration: WINDOW_SECONDS });
  return createLimiter(limit, counters, oneAtATime(counters));
}

export interface RedisRateLimiterOptions {
  readonly servers: RedisServers;
  readonly limit: number;
  /** How many instances share it; while Redis is away each grants its part of the limit. */
  readonly instances?: number;
  /** Before every name in Redis. */
  readonly prefix?: string;
  readonly onError: (error: unknown) => void;
}

/** How long a request waits for Redis before this instance counts by itself. */
const REDIS_TIMEOUT_MS = 200;
const TIMEOUT_PARTS = 4;

/** How long to wait before a connection is tried again that could not be made at all. */
const RECONNECT_MS = 1_000;

/** How often Redis is asked while it owes an answer. */
const RETRY_INTERVAL_MS = 1_000;

/** Counts in one step, only what fits: the library's own script counts refused requests too. */
const CHARGE_SCRIPT = `
  redis.call('set', KEYS[1], 0, 'EX', ARGV[2], 'NX')
  local consumed = tonumber(redis.call('get', KEYS[1])) + tonumber(ARGV[1])
  if consumed <= tonumber(ARGV[3]) then redis.call('incrby', KEYS[1], ARGV[1]) end
  return {consumed, redis.call('pttl', KEYS[1])}`;

/** A limiter in Redis: one budget for all instances. While Redis is away each instance counts in memory. */
export async function createRedisRateLimiter(options: RedisRateLimiterOptions): Promise<RateLimiter> {
  // Loaded on demand: without Redis nobody pays 17 MB of memory for its client.
  const { CONNECT_TIMEOUT_MS, createRedisClient } = await import('./redis-client.ts');
  const client = createRedisClient(options.servers);
  client.on('error', options.onError);
  // Redis may be unreachable at the start too: it is connected to as soon as it can be.
  const connected = connect(client, options.onError);
  await Promise.race([connected, sleep(CONNECT_TIMEOUT_MS, undefined, { ref: false })]);
  const part = Math.max(1, Math.floor(options.limit / (options.instances ?? 1)));
  const insurance = new RateLimiterMemory({ points: part, duration: WINDOW_SECONDS });
  const counters = new RateLimiterRedis({
    storeClient: client,
    useRedisPackage: true,
    rejectIfRedisNotReady: true,
    keyPrefix: options.prefix ?? 'cms:rate',
    points: options.limit,
    duration: WINDOW_SECONDS,
    customIncrTtlLuaScript: CHARGE_SCRIPT,
  });
  const shared = createLimiter(options.limit, counters, (budget, cost) => counters.consume(budget, cost));
  const own = createLimiter(part, insurance, oneAtATime(insurance));
  let late = 0;
  let askAgainAt = 0;
  const insured = async (call: (limiter: RateLimiter) => Promise<Charge>) => {
    // While an answer is late others need not wait for theirs, but for one now and then.
    if (late > 0 && performance.now() < askAgainAt) return call(own);
    askAgainAt = performance.now() + RETRY_INTERVAL_MS;
    const charge = call(shared);
    try {
      return await inTime(charge);
    } catch (error) {
      late++;
      const settled = () => late--;
      charge.then(settled, settled);
      options.onError(error);
      return call(own);
    }
  };
  return {
    limit: options.limit,
    charge: (budget, cost) => insured((limiter) => limiter.charge(budget, cost)),
    peek: (budget) => insured((limiter) => limiter.peek(budget)),
    async close() {
      await client.destroy();
    },
  };
}

/** A client gives up by itself when no node of a cluster, or no Sentinel, can be reached. */
async function connect(client: RedisClient, onError: (error: unknown) => void): Promise<void> {
  for (;;) {
    try {
      await client.connect();
      return;
    } catch (error) {
      onError(error);
      await sleep(RECONNECT_MS, undefined, { ref: false });
    }
  }
}

/**
 * The client's own timeout ends when a command is sent; a frozen Redis would keep the request for ever.
 *
 * The time is counted in parts, each with a turn of the event loop of its own: where a crowd of requests keeps the
 * process from reading for as long, Redis has answered and must be heard, or the crowd would be counted apart.
 */
function inTime(charge: Promise<Charge>): Promise<Charge> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    let isAnswered = false;
    const wait = (parts: number) => {
      timer = setTimeout(() => setImmediate(after, parts), REDIS_TIMEOUT_MS / TIMEOUT_PARTS);
    };
    const after = (parts: number) => {
      if (isAnswered) return;
      if (parts === 1) reject(new Error(`Redis did not answer within ${REDIS_TIMEOUT_MS} ms`));
      else wait(parts - 1);
    };
    wait(TIMEOUT_PARTS);
    charge.then(resolve, reject).finally(() => {
      isAnswered = true;
      clearTimeout(timer);
    });
  });
}

type Consume = (budget: string, cost: number) => Promise<RateLimiterRes>;

function createLimiter(limit: number, counters: RateLimiterAbstract, consume: Consume): RateLimiter {
  const result = (admitted: boolean, consumed: number, resetInMs: number): Charge => ({
    admitted,
    limit,
    remaining: Math.max(limit - consumed, 0),
    // The clock may have been set back or forward since the window began.
    resetInMs: Math.min(Math.max(resetInMs, 0), WINDOW_SECONDS * 1_000),
  });
  return {
    limit,
    async charge(budget, cost) {
      try {
        const counted = await consume(budget, cost);
        return result(true, counted.consumedPoints, counted.msBeforeNext);
      } catch (refused) {
        if (!(refused instanceof RateLimiterRes)) throw refused;
        return result(false, refused.consumedPoints - cost, refused.msBeforeNext);
      }
    },
    async peek(budget) {
      const counted = await counters.get(budget);
      return result(true, counted?.consumedPoints ?? 0, counted?.msBeforeNext ?? WINDOW_SECONDS * 1_000);
    },
    async close() {},
  };
}

/**
 * The library counts first and refuses then; giving a refused charge back takes a second step. Charges
 * of one budget wait for one another, so that none sees what is about to be given back.
 */
function oneAtATime(counters: RateLimiterMemory): Consume {
  const tails = new Map<string, Promise<void>>();
  const wholeOrNot = async (budget: string, cost: number) => {
    try {
      return await counters.consume(budget, cost);
    } catch (refused) {
      await counters.reward(budget, cost);
      throw refused;
    }
  };
  return (budget, cost) => {
    const before = tails.get(budget);
    const turn = before ? before.then(() => wholeOrNot(budget, cost)) : wholeOrNot(budget, cost);
    const done = () => {
      if (tails.get(budget) === tail) tails.delete(budget);
    };
    const tail = turn.then(done, done);
    tails.set(budget, tail);
    return turn;
  };
}
