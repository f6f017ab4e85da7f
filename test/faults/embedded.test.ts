import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sql } from '../../src/store/sql.ts';
import { withStoreOf } from '../support/load/harness.ts';
import { until } from '../support/servers/own-servers.ts';
import { ask, type Instance, organizationWithKey, startInstance } from './support/instance.ts';
import { canMount, mountSmallDisk, type SmallDisk } from './support/tmpfs.ts';
import { rounds } from './support/writers.ts';

/** Less than a WAL segment, and more than the records written before the next one. */
const NO_SEGMENT_BYTES = 15_000_000;

/** The number of times that the disk is filled and freed. */
const DISK_FULL = rounds('FAULTS_DISK_FULL', 1);

const ended: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0).reverse()) await end();
});

async function start(environment: Record<string, string>): Promise<Instance> {
  const instance = await startInstance({ RATE_LIMIT_PER_MINUTE: '1000000', ...environment });
  ended.push(() => instance.end('SIGKILL'));
  return instance;
}

const statusOf = async (instance: Instance, path: string) => (await fetch(`${instance.address}${path}`)).status;

describe.skipIf(!canMount())('the embedded database on a disk without space for its log', () => {
  let disk: SmallDisk;
  let environment: { DATA_DIR: string };
  let instance: Instance;
  let key: string;
  let acknowledged: string[];
  beforeEach(async () => {
    // Each round adds records.
    disk = mountSmallDisk(80 + 40 * (DISK_FULL - 1)) as SmallDisk;
    environment = { DATA_DIR: join(disk.path, 'data') };
    ({ key } = organizationWithKey(environment));
    instance = await start(environment);
    await instance.ready();
    disk.fillUpTo(NO_SEGMENT_BYTES);
    acknowledged = await writeUntilRefused();
  });
  afterEach(() => {
    disk.remove();
  });

  const create = () => {
    const body = JSON.stringify({ description: randomBytes(4_500).toString('hex') });
    return ask(instance.address, key, '/v1/prayer-requests', { method: 'POST', body });
  };

  async function writeUntilRefused(): Promise<string[]> {
    const ids: string[] = [];
    for (;;) {
      const { status, json } = await create();
      if (status !== 201) {
        expect([status, json.error.code]).toEqual([503, 'unavailable']);
        return ids;
      }
      ids.push(json.data.id);
    }
  }

  const expectAllThere = () =>
    withStoreOf(environment, async ({ db }) => {
      const there = await db.rows(sql`SELECT FROM prayer_request WHERE id = ANY(${acknowledged}::text[])`);
      expect(there).toHaveLength(acknowledged.length);
    });

  it(
    'keeps the service live but not ready, logs the reason, and recovers when there is space',
    async () => {
      const refused = await create();
      expect([refused.status, refused.json.error.code]).toEqual([503, 'unavailable']);
      expect(await statusOf(instance, '/livez')).toBe(200);
      // The result of a check is cached for a second.
      await until(async () => (await statusOf(instance, '/readyz?write=1')) === 503);
      await until(async () => instance.output().includes('The embedded database is unavailable'));
      expect(instance.output()).toMatch(/pg_wal.*No space left on device.*The embedded database is unavailable/);

      for (let round = 1; ; round++) {
        disk.free();
        await until(async () => (await statusOf(instance, '/readyz?write=1')) === 200);
        const { status, json } = await create();
        expect(status).toBe(201);
        acknowledged.push(json.data.id);
        if (round === DISK_FULL) break;
        disk.fillUpTo(NO_SEGMENT_BYTES);
        acknowledged.push(...(await writeUntilRefused()));
      }
      process.stdout.write(`disk full ${DISK_FULL} times: ${acknowledged.length} writes acknowledged\n`);
      expect(await instance.end('SIGTERM')).toBe(0);
      await expectAllThere();
    },
    60_000 + DISK_FULL * 60_000,
  );

  it('does not prevent the service from stopping; a restart fails with the reason until there is space', async () => {
    const started = performance.now();
    await instance.end('SIGTERM');
    expect(performance.now() - started).toBeLessThan(6_000);

    const next = await start(environment);
    const [code] = (await once(next.process, 'exit')) as [number];
    expect(code).toBe(1);
    expect(next.output().trim().split('\n')).toEqual([
      'The service cannot start.',
      expect.stringMatching(new RegExp(`^cannot use the data directory ${environment.DATA_DIR} \\(.*No space left`)),
    ]);
    disk.free();
    await expectAllThere();
  });
});
