import { randomUUID } from 'node:crypto';
import { createClient } from 'redis';
import { afterEach, describe, expect, inject, it, onTestFinished, vi } from 'vitest';
import {
  createMemoryRateLimiter,
  createRedisRateLimiter,
  type RateLimiter,
  type RedisRateLimiterOptions,
} from '../../src/rate-limit/rate-limiter.ts';
import { times } from '../support/data.ts';
import { unloggedFault } from '../support/faults.ts';
import { hasServers, ownRedis } from '../support/servers/own-servers.ts';
import { proxyTo } from '../support/servers/proxy.ts';
import { eventually } from '../support/time/eventually.ts';

const redisUrl = inject('redisUrl');
const opened: RateLimiter[] = [];

async function onRedis(
  limit: number,
  prefix: string = randomUUID(),
  options: Partial<RedisRateLimiterOptions> = {},
): Promise<RateLimiter> {
  const limiter = await createRedisRateLimiter({
    url: redisUrl as string,
    limit,
    prefix,
    fault: unloggedFault(),
    ...options,
  });
  opened.push(limiter);
  return limiter;
}

afterEach(async () => {
  vi.useRealTimers();
  for (const limiter of opened.splice(0)) await limiter.close();
});

function charges(make: (limit: number) => Promise<RateLimiter>): void {
  it('admits charges within the limit, and returns the remaining points', async () => {
    const limiter = await make(120);
    expect(await limiter.charge('a', 1)).toMatchObject({ allowed: true, limit: 120, remaining: 119 });
    expect(await limiter.charge('a', 19)).toMatchObject({ allowed: true, limit: 120, remaining: 100 });
    expect(await limiter.charge('a', 100)).toMatchObject({ allowed: true, remaining: 0 });
    expect(await limiter.charge('a', 1)).toMatchObject({ allowed: false, limit: 120, remaining: 0 });
  });

  it('never charges a part of the cost', async () => {
    const limiter = await make(10);
    await limiter.charge('a', 7);
    for (const _ of [1, 2, 3]) expect(await limiter.charge('a', 4)).toMatchObject({ allowed: false, remaining: 3 });
    expect(await limiter.charge('a', 3)).toMatchObject({ allowed: true, remaining: 0 });
    expect(await limiter.charge('b', 11)).toMatchObject({ allowed: false, remaining: 10 });
  });

  it('returns the remaining points without charging', async () => {
    const limiter = await make(10);
    expect(await limiter.peek('a')).toMatchObject({ limit: 10, remaining: 10 });
    await limiter.charge('a', 4);
    for (const _ of [1, 2]) expect(await limiter.peek('a')).toMatchObject({ limit: 10, remaining: 6 });
    await limiter.charge('a', 7);
    expect(await limiter.peek('a')).toMatchObject({ remaining: 6 });
  });

  it('admits exactly 120 of 1,000 concurrent charges, each with a distinct remainder', async () => {
    const limiter = await make(120);
    const results = await Promise.all(times(1_000, () => limiter.charge('a', 1)));
    const allowed = results.filter(({ allowed }) => allowed);
    expect(allowed.map(({ remaining }) => remaining).sort((a, b) => b - a)).toEqual(times(120, (n) => 119 - n));
    const refused = results.filter(({ allowed }) => !allowed);
    expect(refused.map(({ remaining }) => remaining)).toEqual(times(880, () => 0));
  });

  it('ends the window a minute after the first charge, not after the last', async () => {
    const limiter = await make(10);
    const { resetInMs } = await limiter.charge('a', 1);
    expect(resetInMs).toBeGreaterThan(55_000);
    expect(resetInMs).toBeLessThanOrEqual(60_000);
    let last = resetInMs;
    for (const cost of [1, 1, 20]) {
      const later = await limiter.charge('a', cost);
      expect(later.resetInMs).toBeLessThanOrEqual(last);
      last = later.resetInMs;
    }
    expect((await limiter.peek('a')).resetInMs).toBeLessThanOrEqual(last);
  });
}

describe('in memory', () => {
  charges(async (limit) => createMemoryRateLimiter(limit));

  it('resets a minute after the first charge', async () => {
    vi.useFakeTimers();
    const limiter = createMemoryRateLimiter(2);
    await limiter.charge('a', 1);
    vi.advanceTimersByTime(30_000);
    expect(await limiter.charge('a', 1)).toMatchObject({ allowed: true, remaining: 0, resetInMs: 30_000 });
    vi.advanceTimersByTime(29_999);
    expect(await limiter.charge('a', 1)).toMatchObject({ allowed: false, resetInMs: 1 });
    vi.advanceTimersByTime(1);
    expect(await limiter.charge('a', 1)).toMatchObject({ allowed: true, remaining: 1, resetInMs: 60_000 });
  });

  it('counts at most 100,000 budgets: others are counted anew, except those that are in use', async () => {
    const limiter = createMemoryRateLimiter(3);
    await limiter.charge('idle', 3);
    await limiter.charge('used', 1);
    for (let n = 0; n < 100_000; n++) {
      await limiter.charge(`address:${n}`, 1);
      if (n === 50_000) await limiter.charge('used', 1);
    }
    expect(await limiter.peek('used')).toMatchObject({ remaining: 1 });
    expect(await limiter.peek('idle')).toMatchObject({ remaining: 3 });
  });

  it.each([-3_600_000, 3_600_000])(
    'never returns a wait of more than a minute, even if the clock moves by %i ms',
    async (by) => {
      vi.useFakeTimers({ toFake: ['Date'] });
      const limiter = createMemoryRateLimiter(1);
      await limiter.charge('a', 1);
      vi.setSystemTime(Date.now() + by);
      const { resetInMs } = await limiter.charge('a', 1);
      expect(resetInMs).toBeLessThanOrEqual(60_000);
      expect((await limiter.peek('a')).resetInMs).toBeLessThanOrEqual(60_000);
    },
  );
});

describe.skipIf(!redisUrl)('in Redis', () => {
  charges(onRedis);

  it('shares one limit among all instances, even for concurrent charges', async () => {
    const prefix = randomUUID();
    const instances = await Promise.all(times(2, () => onRedis(120, prefix)));
    const results = await Promise.all(times(400, (n) => instances[n % 2]?.charge('a', 1)));
    const allowed = results.filter((result) => result?.allowed).map((result) => result?.remaining as number);
    expect(allowed.sort((a, b) => b - a)).toEqual(times(120, (n) => 119 - n));
    for (const instance of instances) expect(await instance.peek('a')).toMatchObject({ remaining: 0 });
  });

  it('counts in memory by the same rules while Redis is unreachable', async () => {
    const fault = unloggedFault();
    const limiter = await onRedis(2, randomUUID(), { fault });
    await limiter.close();
    expect(await limiter.charge('a', 1)).toMatchObject({ allowed: true, limit: 2, remaining: 1 });
    expect(await limiter.charge('a', 2)).toMatchObject({ allowed: false, remaining: 1 });
    expect(await limiter.peek('a')).toMatchObject({ remaining: 1 });
    expect(await limiter.charge('a', 1)).toMatchObject({ allowed: true, remaining: 0 });
    expect(fault.isActive).toBe(true);
    opened.length = 0;
  });

  describe('behind a connection that freezes', () => {
    const allowedOf = async (limiter: RateLimiter, charges: number) =>
      (await Promise.all(times(charges, () => limiter.charge('a', 1)))).filter(({ allowed }) => allowed).length;

    async function frozenAfter(charges: number, options: { readonly instances?: number } = {}) {
      const proxy = await proxyTo(redisUrl as string);
      onTestFinished(() => proxy.close());
      const fault = unloggedFault();
      const limiter = await onRedis(120, randomUUID(), {
        url: proxy.url,
        fault,
        ...options,
      });
      const allowed = await allowedOf(limiter, charges);
      await proxy.become('frozen');
      const thaw = async () => {
        await proxy.become('working');
        await eventually(() => expect(fault.isActive).toBe(false));
      };
      return { limiter, allowed, thaw };
    }

    it('admits no second budget while it is frozen, nor after it', async () => {
      const { limiter, allowed, thaw } = await frozenAfter(60);
      let total = allowed + (await allowedOf(limiter, 30)) + (await allowedOf(limiter, 20));
      expect(total).toBe(110);
      await thaw();
      total += await allowedOf(limiter, 200);
      expect(total).toBeGreaterThanOrEqual(110);
      expect(total).toBeLessThanOrEqual(120);
    });

    it('admits the share of one of three instances, and returns the remaining points of it', async () => {
      const { limiter } = await frozenAfter(0, { instances: 3 });
      expect(await limiter.charge('a', 39)).toMatchObject({ allowed: true, limit: 120, remaining: 1 });
      expect(await limiter.charge('a', 2)).toMatchObject({ allowed: false, limit: 120, remaining: 1 });
      expect(await limiter.peek('a')).toMatchObject({ limit: 120, remaining: 1 });
      expect(await limiter.charge('a', 1)).toMatchObject({ allowed: true, limit: 120, remaining: 0 });
    });
  });
});

describe.skipIf(!hasServers)('in a Redis that answers PING and refuses writes', () => {
  it.each([
    ['a replica', ['REPLICAOF', '127.0.0.1', '1'], ['REPLICAOF', 'NO', 'ONE']],
    ['full memory', ['CONFIG', 'SET', 'maxmemory', '1'], ['CONFIG', 'SET', 'maxmemory', '0']],
    ['no right to run scripts', ['ACL', 'SETUSER', 'default', '-@scripting'], ['ACL', 'SETUSER', 'default', '+@all']],
    ['no right to the keys', ['ACL', 'SETUSER', 'default', 'resetkeys'], ['ACL', 'SETUSER', 'default', 'allkeys']],
    [
      'too few replicas',
      ['CONFIG', 'SET', 'min-replicas-to-write', '1'],
      ['CONFIG', 'SET', 'min-replicas-to-write', '0'],
    ],
    ['paused writes', ['CLIENT', 'PAUSE', '600000', 'WRITE'], ['CLIENT', 'UNPAUSE']],
  ])('%s is one fault, which ends with a counter that works', async (_, refuse, accept) => {
    const server = await ownRedis();
    onTestFinished(() => server.remove());
    await server.start();
    const admin = await createClient({ url: server.url }).connect();
    onTestFinished(() => admin.destroy());
    const report = () => {
      fault.isActive = true;
    };
    const fault = { isActive: false, report, endWhen: vi.fn() };
    const limiter = await onRedis(10, 'cms:rate', { url: server.url, fault });
    await limiter.charge('a', 3);
    await admin.sendCommand(refuse);
    expect(await limiter.charge('a', 2)).toMatchObject({ allowed: true, remaining: 5 });
    expect(fault.isActive).toBe(true);
    const isOver = fault.endWhen.mock.calls[0]?.[0] as () => Promise<boolean>;
    for (const _check of [1, 2]) expect(await isOver()).toBe(false);
    await admin.sendCommand(accept);
    await eventually(async () => expect(await isOver()).toBe(true));
    fault.isActive = false;
    // A charge that was held back may have been carried out meanwhile.
    expect((await limiter.peek('a')).remaining).toBeOneOf([3, 5]);
  });
});
