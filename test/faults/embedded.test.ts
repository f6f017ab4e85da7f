import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, watch, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sql } from '../../src/store/sql.ts';
import { openStore } from '../../src/store/store.ts';
import { until } from '../support/servers/own-servers.ts';
import {
  ask,
  cms,
  type Instance,
  organizationWithKey,
  ROOT,
  startInstance,
  temporaryDirectory,
} from './support/instance.ts';
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

  async function expectAllThere(): Promise<void> {
    const store = await openStore({ dataDirectory: environment.DATA_DIR });
    try {
      const [there] = await store.db.rows<{ count: number }>(sql`
        SELECT count(*)::int AS count FROM prayer_request WHERE id = ANY(${acknowledged}::text[])`);
      expect(there?.count).toBe(acknowledged.length);
    } finally {
      await store.close();
    }
  }

  it(
    'keeps the service live but not ready, logs the reason, and recovers when there is space',
    async () => {
      const refused = await create();
      expect([refused.status, refused.json.error.code]).toEqual([503, 'unavailable']);
      expect(await statusOf(instance, '/livez')).toBe(200);
      // The result of a check is cached for a second.
      await until(async () => (await statusOf(instance, '/readyz?write=1')) === 503);
      await until(async () => instance.output().includes('the embedded database failed'));
      expect(instance.output()).toMatch(/"level":50.*pg_wal.*No space left on device/);

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

describe.skipIf(!canMount())('the first start on a disk without space for the demo organization', () => {
  it('exits with the error on one line', async () => {
    const disk = mountSmallDisk(80) as SmallDisk;
    ended.push(async () => disk.remove());
    const environment = { DATA_DIR: join(disk.path, 'data') };
    cms(environment, 'migrate');
    disk.fillUpTo(20_000);
    const instance = await start(environment);
    const [code] = (await once(instance.process, 'exit')) as [number];
    expect(code).toBe(1);
    expect(instance.output().trim().split('\n').slice(-2)).toEqual([
      'The service cannot start.',
      expect.stringMatching(/^(?!Invalid).*No space left on device/),
    ]);
  });
});

describe('a backup that stops in its transaction on the embedded database', () => {
  it('blocks requests for a limited time, and fails with a clear error when it continues', async () => {
    const environment = { DATA_DIR: temporaryDirectory() };
    const { id, key } = organizationWithKey(environment);
    const rows = Array.from({ length: 5_000 }, (_, n) => `e${n},First,Last,m${n}@example.org`);
    const members = join(environment.DATA_DIR, 'members.csv');
    writeFileSync(members, ['external_id,first_name,last_name,email_address', ...rows].join('\n'));
    cms(environment, 'import', '--organization', id, '--resource', 'members', members);
    const instance = await start(environment);
    await instance.ready();

    const file = join(environment.DATA_DIR, 'backup.gz');
    const stopped = new Promise<void>((resolve) => {
      // The file is created within its transaction.
      const watcher = watch(environment.DATA_DIR, (_, name) => {
        if (!name?.startsWith(`${basename(file)}.part-`)) return;
        backup.kill('SIGSTOP');
        watcher.close();
        resolve();
      });
    });
    const backup = spawn(process.execPath, ['dist/cli/main.js', 'backup', file], {
      cwd: ROOT,
      env: { PATH: process.env.PATH, ...environment },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    ended.push(async () => backup.kill('SIGKILL'));
    let errors = '';
    backup.stderr.on('data', (chunk) => {
      errors += chunk;
    });
    await stopped;

    // Longer than the maximum idle time of a transaction.
    const signal = AbortSignal.timeout(30_000);
    const { status, took } = await ask(instance.address, key, '/v1/members?limit=1', { signal });
    expect(status).toBe(200);
    expect(took).toBeLessThan(15_000);
    await until(async () => instance.output().includes('an idle transaction was rolled back'));

    const exited = once(backup, 'exit');
    backup.kill('SIGCONT');
    expect(await exited).toEqual([1, null]);
    expect(errors).toContain('terminating connection due to idle-in-transaction timeout');
    expect(readdirSync(environment.DATA_DIR).filter((name) => name.startsWith(basename(file)))).toEqual([]);
  });
});
