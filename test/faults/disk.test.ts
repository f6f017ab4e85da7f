import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { spawnCli } from '../support/processes/cli.ts';
import { hasServers, ownPostgresql, until, untilAnswers } from '../support/servers/own-servers.ts';
import { ask, cms, organizationWithKey, startInstance, temporaryDirectory } from './support/instance.ts';
import { canMount, mountSmallDisk, type SmallDisk } from './support/tmpfs.ts';
import { lostIn, rounds } from './support/writers.ts';

const DISK_FULL = rounds('FAULTS_DISK_FULL', 1);

/** Less space than the files need. */
const LITTLE_BYTES = 8_192;

const hasDisks = canMount();
if (!hasDisks)
  process.stderr.write('This user may not mount disks: tests with full and read-only disks are skipped.\n');

const ended: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0).reverse()) await end();
});

function smallDisk(megabytes: number): SmallDisk {
  const disk = mountSmallDisk(megabytes) as SmallDisk;
  ended.push(() => disk.remove());
  return disk;
}

describe.skipIf(!hasDisks)('a backup and an export', () => {
  let environment: { DATA_DIR: string };
  let id: string;
  let disk: SmallDisk;

  beforeAll(() => {
    environment = { DATA_DIR: temporaryDirectory() };
    ({ id } = organizationWithKey(environment));
    const rows = Array.from(
      { length: 500 },
      (_, n) => `e${n},First,${randomBytes(40).toString('hex')},m${n}@example.org`,
    );
    const members = join(environment.DATA_DIR, 'members.csv');
    writeFileSync(members, ['external_id,first_name,last_name,email_address', ...rows].join('\n'));
    cms(environment, 'import', '--organization', id, '--resource', 'members', members);
  });
  beforeEach(() => {
    disk = smallDisk(4);
  });

  /** Expects only complete files. */
  const filesIn = (folder: string) =>
    Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name)).length]));

  it.each([
    ['full', /no space left/i, (full: SmallDisk) => full.fillUpTo(LITTLE_BYTES)],
    ['read-only', /read-only file system/i, (full: SmallDisk) => full.setReadOnly(true)],
  ])(
    'onto a %s disk report the error, leave no partial file and keep existing ones',
    async (_state, reason, makeUnusable) => {
      const folder = join(disk.path, 'out');
      mkdirSync(folder);
      const file = join(folder, 'backup.gz');
      const commands = [
        ['backup', file],
        ['export', '--organization', id, '--format', 'csv', folder],
      ];
      for (const words of commands) expect((await spawnCli(environment, ...words)).code).toBe(0);
      const before = filesIn(folder);
      expect(Object.keys(before).length).toBeGreaterThan(2);
      makeUnusable(disk);
      for (const words of commands) {
        const { code, err } = await spawnCli(environment, ...words);
        expect([code, err]).toEqual([1, expect.stringMatching(reason)]);
        expect(filesIn(folder)).toEqual(before);
      }
      disk.setReadOnly(false);
      disk.free();
      for (const words of commands) expect((await spawnCli(environment, ...words)).code).toBe(0);
      expect((await spawnCli({ DATA_DIR: temporaryDirectory() }, 'restore', file)).code).toBe(0);
    },
  );
});

describe.skipIf(!hasDisks || !hasServers)('PostgreSQL on a disk that becomes full', () => {
  it(
    `refuses writes, loses no acknowledged one, and continues when there is space, ${DISK_FULL} times`,
    async () => {
      const disk = smallDisk(160);
      chmodSync(disk.path, 0o755);
      const postgresql = await ownPostgresql({ within: disk.path });
      ended.push(() => postgresql.stop());
      await postgresql.start();
      await untilAnswers(postgresql.url);
      const environment = { DATABASE_URL: postgresql.url, DATA_DIR: temporaryDirectory() };
      const { key } = organizationWithKey(environment);
      const instance = await startInstance({ ...environment, RATE_LIMIT_PER_MINUTE: '1000000' });
      ended.push(() => instance.end('SIGKILL'));
      await instance.ready();
      const acknowledged: string[] = [];
      const create = async () => {
        const body = JSON.stringify({ description: randomBytes(4_500).toString('hex') });
        const answer = await ask(instance.address, key, '/v1/prayer-requests', { method: 'POST', body });
        if (answer.status === 201) acknowledged.push(answer.json.data.id);
        return answer;
      };
      for (let round = 0; round < DISK_FULL; round++) {
        disk.fillUpTo(2_000_000);
        let refused = await create();
        while (refused.status === 201) refused = await create();
        expect([refused.status, refused.json.error.code]).toEqual([503, 'unavailable']);
        disk.free();
        // PostgreSQL stops when its log does not fit; the test restarts it like a supervisor.
        await postgresql.stop();
        await postgresql.start();
        await until(async () => (await create()).status === 201);
        expect(await lostIn(postgresql.url, 'prayer_request', acknowledged)).toEqual([]);
      }
      process.stdout.write(`PostgreSQL without room ${DISK_FULL} times: ${acknowledged.length} writes acknowledged\n`);
      expect(existsSync(disk.path)).toBe(true);
    },
    60_000 + DISK_FULL * 30_000,
  );
});
