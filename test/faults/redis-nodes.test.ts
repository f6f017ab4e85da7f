import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasServers, type OwnServer, ownPostgresql, until, untilAnswers } from '../support/servers/own-servers.ts';
import { ask, type Instances, organizationWithKey, startInstances, temporaryDirectory } from './support/instance.ts';
import { clusterNodes, type RedisNodes, sentinelNodes } from './support/redis.ts';
import { rounds } from './support/writers.ts';

const FAILOVERS = rounds('FAULTS_REDIS_FAILOVERS', 2);
const LIMIT = 1_000;

describe.skipIf(!hasServers).each([
  ['Redis with Sentinels', sentinelNodes],
  ['Redis Cluster', clusterNodes],
] as const)('%s', (name, makeNodes) => {
  let nodes: RedisNodes;
  let postgresql: OwnServer;
  let environment: Record<string, string>;
  let instances: Instances;

  beforeAll(async () => {
    [nodes, postgresql] = [await makeNodes(), await ownPostgresql()];
    await postgresql.start();
    await untilAnswers(postgresql.url);
    environment = {
      DATABASE_URL: postgresql.url,
      DATA_DIR: temporaryDirectory(),
      RATE_LIMIT_PER_MINUTE: String(LIMIT),
      ...nodes.environment,
    };
    // Redis starts later: until then, each instance counts separately.
    instances = await startInstances(2, environment);
    await instances.ready();
    const { key } = organizationWithKey(environment);
    expect((await ask(instances.addresses[0] as string, key, '/v1/events')).headers.get('X-RateLimit-Limit')).toBe(
      '500',
    );
    await nodes.start();
  });
  afterAll(async () => {
    await instances?.end('SIGTERM');
    await nodes?.remove();
    await postgresql?.remove();
  });

  const limitOf = async (key: string, n: number) =>
    Number((await ask(instances.addresses[n] as string, key, '/v1/events')).headers.get('X-RateLimit-Limit'));

  /** Waits until both instances use the shared count. */
  const untilShared = (key: string) =>
    until(async () => (await limitOf(key, 0)) === LIMIT && (await limitOf(key, 1)) === LIMIT);

  /** The numbers of requests admitted through both instances: counted in Redis, and counted locally by an instance. */
  async function admitted(key: string, count: number) {
    const sums = { byRedis: 0, byInstances: 0 };
    for (let n = 0; n < count; n += 50) {
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, i) => ask(instances.addresses[i % 2] as string, key, '/v1/events?limit=1')),
      );
      expect(answers.filter(({ status }) => status !== 200 && status !== 429)).toEqual([]);
      for (const { status, headers } of answers) {
        const isShared = Number(headers.get('X-RateLimit-Limit')) === LIMIT;
        if (status === 200) sums[isShared ? 'byRedis' : 'byInstances']++;
      }
    }
    return sums;
  }

  /**
   * Exhausts rate limits until one was counted by Redis alone. An instance counts in memory, up to its part of the limit,
   * while Redis does not respond within 200 ms, which also happens on a busy machine; Redis never admits more than the limit.
   */
  async function expectOneBudget(): Promise<void> {
    const { key } = organizationWithKey(environment);
    const { byRedis, byInstances } = await admitted(key, LIMIT + 200);
    process.stdout.write(`${name}: ${byRedis} requests admitted by Redis, ${byInstances} by the instances\n`);
    expect(byRedis).toBeLessThanOrEqual(LIMIT);
    expect(byInstances).toBeLessThanOrEqual(LIMIT);
    if (byInstances > 0) return expectOneBudget();
    expect(byRedis).toBe(LIMIT);
  }

  it('shares one limit among all instances', async () => {
    const warm = organizationWithKey(environment);
    await untilShared(warm.key);
    await expectOneBudget();
  });

  it(
    `continues to respond while a master is replaced, ${FAILOVERS} times, and then shares one count again`,
    async () => {
      // Created before, since commands would slow down the measured requests.
      const keys = Array.from({ length: FAILOVERS + 1 }, () => organizationWithKey(environment).key);
      const [key, ...fresh] = keys as [string, ...string[]];
      const statuses = new Map<number, number>();
      let slowest = 0;
      let isDone = false;
      const load = async (n: number) => {
        while (!isDone) {
          const { status, took } = await ask(instances.addresses[n % 2] as string, key, '/v1/events?limit=1');
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
          slowest = Math.max(slowest, took);
          await sleep(10);
        }
      };
      const loads = Array.from({ length: 8 }, (_, n) => load(n));
      let [undisturbed, back] = [0, 0];
      try {
        // The same load without a failover, for comparison.
        await sleep(5_000);
        [undisturbed, slowest] = [slowest, 0];
        for (let round = 0; round < FAILOVERS; round++) {
          await nodes.failOver();
          // Another key for each failover, whose counter may be on another node.
          back = Math.max(back, await untilShared(fresh[round] as string));
        }
      } finally {
        isDone = true;
        await Promise.all(loads);
      }
      process.stdout.write(
        `${name}, ${FAILOVERS} failovers: answers ${JSON.stringify([...statuses])}, slowest ${Math.round(slowest)} ms ` +
          `(${Math.round(undisturbed)} ms before), ` +
          `shared again ${Math.round(back)} ms after\n`,
      );
      expect([...statuses.keys()].filter((status) => status !== 200 && status !== 429)).toEqual([]);
      expect(slowest).toBeLessThan(1_500 + undisturbed);
      await expectOneBudget();
    },
    120_000 + FAILOVERS * 40_000,
  );
});
