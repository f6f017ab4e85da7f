import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasServers, type OwnServer, ownPostgresql, ownRedis, until } from '../support/servers/own-servers.ts';
import {
  ask,
  cms,
  type Instances,
  organizationWithKey,
  startInstances,
  temporaryDirectory,
} from './support/instance.ts';

describe.skipIf(!hasServers)('with servers that stop and restart', () => {
  let postgresql: OwnServer;
  let redis: OwnServer;
  let environment: Record<string, string>;
  let instances: Instances | undefined;
  let addresses: readonly string[];

  beforeAll(async () => {
    [postgresql, redis] = await Promise.all([ownPostgresql(), ownRedis()]);
    environment = {
      DATABASE_URL: postgresql.url,
      REDIS_URL: redis.url,
      DATA_DIR: temporaryDirectory(),
    };
    instances = await startInstances(3, environment);
    addresses = instances.addresses;
  });
  afterAll(async () => {
    await instances?.end('SIGTERM');
    await Promise.all([postgresql.remove(), redis.remove()]);
  });

  it('does not listen while both are unavailable at startup, and is ready when they are available', async () => {
    await until(async () => (instances?.output().match(/PostgreSQL is unavailable/g)?.length ?? 0) >= 3);
    for (const address of addresses) await expect(fetch(`${address}/livez`)).rejects.toThrow('fetch failed');
    await Promise.all([postgresql.start(), redis.start()]);
    await instances?.ready();
  });

  it('admits exactly 120 of 1,000 concurrent requests through three instances, in 20 of 20 rounds', async () => {
    const { id } = organizationWithKey(environment);
    const admitted: number[] = [];
    for (let round = 0; round < 20; round++) {
      const words = `key create --organization ${id} --name R${round} --scopes all --expires never`.split(' ');
      const { key } = cms(environment, ...words);
      const answers = await Promise.all(
        Array.from({ length: 1_000 }, (_, n) => ask(addresses[n % 3] as string, key, '/v1/events?limit=1')),
      );
      admitted.push(answers.filter(({ status }) => status === 200).length);
    }
    expect(admitted).toEqual(Array(20).fill(120));
  }, 180_000);

  it('rejects a revoked key on all instances', async () => {
    const { key, keyId } = organizationWithKey(environment);
    const through = () => Promise.all(addresses.map((address) => ask(address, key, '/v1/events')));
    expect((await through()).map(({ status }) => status)).toEqual([200, 200, 200]);
    cms(environment, 'key', 'revoke', keyId);
    expect((await through()).map(({ json }) => json.error.code)).toEqual(Array(3).fill('key_revoked'));
  });

  it('responds with 503 within 2 s while PostgreSQL is unavailable, and recovers within 2 s, 20 times', async () => {
    const { key } = organizationWithKey({ ...environment });
    const [address] = addresses as [string];
    const slowest = { down: 0, back: 0 };
    for (let round = 0; round < 20; round++) {
      await postgresql.stop();
      const down = await Promise.all(Array.from({ length: 20 }, () => ask(address, key, '/v1/events')));
      expect(new Set(down.map(({ status }) => status))).toEqual(new Set([503]));
      expect(down.every(({ headers }) => headers.get('Retry-After') === '1')).toBe(true);
      slowest.down = Math.max(slowest.down, ...down.map(({ took }) => took));
      await postgresql.start();
      const back = await until(async () => [200, 429].includes((await ask(address, key, '/v1/events')).status));
      slowest.back = Math.max(slowest.back, back);
    }
    process.stdout.write(
      `slowest answer while down ${Math.round(slowest.down)} ms, back after ${Math.round(slowest.back)} ms\n`,
    );
    expect(slowest.down).toBeLessThan(2_000);
    expect(slowest.back).toBeLessThan(2_000);
  });

  it('responds within 500 ms while Redis is stopped or frozen', async () => {
    const { key } = organizationWithKey(environment);
    const [address] = addresses as [string];
    await ask(address, key, '/v1/events');
    const times: number[] = [];
    const burst = async () => {
      const answers = [];
      for (let n = 0; n < 60; n++) answers.push(await ask(address, key, '/v1/events'));
      times.push(...answers.map(({ took }) => took));
      return answers.filter(({ status }) => status === 200).length;
    };
    redis.freeze();
    expect(await burst()).toBeLessThanOrEqual(40);
    redis.thaw();
    await redis.stop();
    await burst();
    await redis.start();
    process.stdout.write(`slowest answer without Redis ${Math.round(Math.max(...times))} ms\n`);
    expect(Math.max(...times)).toBeLessThan(500);
  });
});
