import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasServers, until } from '../support/servers/own-servers.ts';
import { ask, type Instance, organizationWithKey, startInstance, temporaryDirectory } from './support/instance.ts';
import { type ReplicatedPair, replicatedPair } from './support/replication.ts';
import { lostIn, rounds, startWriters } from './support/writers.ts';

const FAILOVERS = rounds('FAULTS_FAILOVERS', 2);

describe.skipIf(!hasServers)('a primary and a synchronous standby', () => {
  let pair: ReplicatedPair;
  let instance: Instance;
  let key: string;

  beforeAll(async () => {
    pair = await replicatedPair();
    const environment = { DATABASE_URL: pair.url, DATA_DIR: temporaryDirectory() };
    ({ key } = organizationWithKey(environment));
    instance = await startInstance({ ...environment, RATE_LIMIT_PER_MINUTE: '1000000' });
    await instance.ready();
  });
  afterAll(async () => {
    await instance?.end('SIGTERM');
    await pair?.remove();
  });

  const lost = (acknowledged: readonly string[]) => lostIn(pair.primary().url, 'member', acknowledged);

  const create = () =>
    ask(instance.address, key, '/v1/prayer-requests', { method: 'POST', body: '{"description":"Rain"}' });
  const list = () => ask(instance.address, key, '/v1/members?limit=1');

  it(
    `loses no acknowledged write and needs no restart when the primary is killed, ${FAILOVERS} times`,
    async () => {
      const writers = startWriters(instance.address, key);
      let [undisturbed, slowest, slowestReturn] = [0, 0, 0];
      for (let round = 0; round < FAILOVERS; round++) {
        writers.takeSlowestMs();
        await writers.more(20);
        undisturbed = Math.max(undisturbed, writers.takeSlowestMs());
        await pair.primary().kill();
        await pair.promote();
        const promoted = performance.now();
        await writers.more(1);
        slowestReturn = Math.max(slowestReturn, performance.now() - promoted);
        expect(await lost([...writers.acknowledged])).toEqual([]);
        slowest = Math.max(slowest, writers.takeSlowestMs());
        await pair.rebuildStandby();
      }
      await writers.stop();
      const { acknowledged, answers } = writers;
      process.stdout.write(
        `${FAILOVERS} failovers: ${acknowledged.length} writes acknowledged, back within ${Math.round(slowestReturn)} ms of the ` +
          `promotion, slowest answer ${Math.round(slowest)} ms (${Math.round(undisturbed)} ms with both servers), ` +
          `answers ${JSON.stringify([...answers])}\n`,
      );
      expect(await lost(acknowledged)).toEqual([]);
      expect([...answers.keys()].filter((answer) => !['201', '503 unavailable'].includes(answer))).toEqual([]);
      expect(slowest).toBeLessThan(2_500 + undisturbed);
    },
    60_000 + FAILOVERS * 30_000,
  );

  it('refuses writes and serves reads while the primary is read-only, and recovers without a restart', async () => {
    await pair.onPrimary('ALTER SYSTEM SET default_transaction_read_only = on');
    await pair.onPrimary('SELECT pg_reload_conf()');
    await until(async () => (await create()).status === 503);
    for (let n = 0; n < 20; n++) {
      const [written, read] = [await create(), await list()];
      expect([written.status, written.json.error?.code, read.status]).toEqual([503, 'unavailable', 200]);
    }
    await pair.onPrimary('ALTER SYSTEM RESET default_transaction_read_only');
    await pair.onPrimary('SELECT pg_reload_conf()');
    await until(async () => (await create()).status === 201);
  });
});
