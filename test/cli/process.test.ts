import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { openStore, type Store } from '../../src/store/store.ts';
import { COMPILE_ONCE } from '../support/processes/child.ts';
import { runCli, spawnCli } from '../support/processes/cli.ts';
import { startService } from '../support/processes/running.ts';
import { createDatabases } from '../support/servers/databases.ts';
import { temporaryStores } from '../support/stores/directories.ts';

/** Every command. */
const COMMANDS = [
  'organization create',
  'organization update',
  'organization list',
  'key create',
  'key list',
  'key update',
  'key rotate',
  'key revoke',
  'key usage',
  'key history',
  'admin create',
  'admin list',
  'admin revoke',
  'audit',
  'demo',
  'migrate',
  'backup',
  'restore',
  'move',
  'import',
  'export',
];

describe('every command', () => {
  it.each(COMMANDS)('%s prints its usage with an example', async (command) => {
    const { code, out, err } = await runCli({}, ...command.split(' '), '--help');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain(`Usage: npm run -s cli -- ${command}`);
    expect(out).toContain('--json');
    expect(out).toMatch(/Examples?:\n {2}\$ .*cms /);
  });

  it('is listed by the help of the program', async () => {
    const { out } = await runCli({}, '--help');
    for (const name of new Set(COMMANDS.map((command) => command.split(' ')[0]))) expect(out).toContain(`  ${name} `);
  });

  it.each([
    [['key'], 'a command is required'],
    [['help', 'grow'], 'there is no such command'],
    [['key', 'help', 'grow'], 'there is no such command'],
  ])('%j exits with 2 and prints that %s', async (args, reason) => {
    const { code, out, err } = await runCli({}, ...args);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(`error: ${reason}; --help lists them\n`);
  });

  it.each([
    ['an unknown command', ['grow']],
    ['an unknown option', ['demo', '--big']],
    ['a repeated option', ['key', 'list', '--organization', 'org_1', '--organization', 'org_2']],
    ['a missing option', ['key', 'list']],
    ['one of two missing options', ['audit']],
    ['a missing argument', ['backup']],
    ['an invalid choice', ['key', 'create', '--organization', 'o', '--name', 'n', '--scopes', 'all', '--expires', '7']],
    ['an invalid server URL', ['move', '--to', 'mysql://localhost/x']],
  ])('exits with 2 for %s, and prints the error to standard error', async (_, args) => {
    const human = await runCli({}, ...args);
    expect({ code: human.code, out: human.out }).toEqual({ code: 2, out: '' });
    expect(human.err).toMatch(/^error: /);
    const json = await runCli({}, ...args, '--json');
    expect({ code: json.code, out: json.out }).toEqual({ code: 2, out: '' });
    expect(JSON.parse(json.err).error.code).toBe('invalid_request');
  });
});

describe('as processes, on a separate data directory', () => {
  const { folder, startedOnce } = temporaryStores();
  const databases = createDatabases(inject('databaseUrl') ?? '');
  afterAll(() => databases.drop());
  let directory: string;
  let environment: Record<string, string>;
  let demo: { key: string; organization_id: string };
  // biome-ignore lint/suspicious/noExplicitAny: the output of backup
  let backupReport: any;
  beforeAll(async () => {
    directory = await folder();
    environment = { DATA_DIR: await startedOnce() };
    const result = await spawnCli(environment, 'demo', '--json');
    expect(result).toMatchObject({ code: 0, err: '' });
    demo = result.json;
  });

  describe('while another process has the directory open', () => {
    // A command that has to start the database takes seconds.
    let holder: Store;
    beforeAll(async () => {
      holder = await openStore({ dataDirectory: environment.DATA_DIR as string });
    });
    afterAll(() => holder.close());

    it('demo creates the organization, and is audited', async () => {
      const { code, out } = await runCli(environment, 'audit', '--organization', demo.organization_id);
      expect(code).toBe(0);
      expect(out).toMatch(/cli +makeDemo +org_\w+ +ok +cli/);
      expect(out).toMatch(/cli +createApiKey +key_\w+ +ok +cli/);
      expect((await runCli(environment, 'migrate', '--json')).json).toEqual({ applied: [] });
    });

    it('backup writes a file, and prints its progress and contents', async () => {
      const file = join(directory, 'records.gz');
      const human = await spawnCli(environment, 'backup', file);
      expect(human.code).toBe(0);
      expect(human.err).toContain('member: 200 rows\n');
      expect(human.out).toMatch(/^TABLE +ROWS +SHA256\n/);
      const result = await runCli(environment, 'backup', file, '--json');
      expect(result).toMatchObject({ code: 0, err: '' });
      backupReport = result.json;
      expect(backupReport).toMatchObject({
        tables: { member: { rows: 200, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) } },
        rows: expect.any(Number),
        bytes: (await stat(file)).size,
      });
    });
  });

  it('backup works while the service is running; restore and move are refused', async () => {
    const service = await startService(environment);
    try {
      const file = join(directory, 'running.gz');
      const backup = runCli(environment, 'backup', file, '--json');
      const request = async () =>
        (await fetch(`${service.address}/v1/members`, { headers: { 'X-Api-Key': demo.key } })).status;
      const statuses = await Promise.all([request(), request(), backup.then(request)]);
      expect(statuses).toEqual([200, 200, 200]);
      expect((await backup).json.tables.member).toEqual(backupReport.tables.member);
      const restored = await runCli(environment, 'restore', file);
      expect(restored).toMatchObject({ code: 1, out: '' });
      expect(restored.err).toContain('error: the target already has organizations');
      const moved = await runCli(environment, 'move', '--to', 'postgresql://nobody@127.0.0.1:1/none');
      expect(moved.err).toMatch(/^error: the service is running on .*stop it first/);
    } finally {
      await service.stop();
    }
  });

  it('restore loads a backup completely or not at all', async () => {
    const other = { DATA_DIR: await startedOnce() };
    const file = join(directory, 'running.gz');
    const truncated = join(directory, 'truncated.gz');
    await writeFile(truncated, (await readFile(file)).subarray(0, 20_000));
    const refused = await runCli(other, 'restore', truncated, '--json');
    expect(refused).toMatchObject({ code: 1, out: '' });
    expect(JSON.parse(refused.err).error).toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('incomplete'),
    });
    const { code, json } = await runCli(other, 'restore', file, '--json');
    expect(code).toBe(0);
    expect(json.tables.member).toEqual(backupReport.tables.member);
    expect((await runCli(other, 'organization', 'list', '--json')).json).toHaveLength(1);
    expect((await runCli(other, 'restore', file)).code).toBe(1);
  });

  it.skipIf(!inject('databaseUrl'))('move copies the records to a server only once', async () => {
    const to = databases.urlOf(await databases.create());
    const moved = await runCli(environment, 'move', '--to', to, '--json');
    expect(moved).toMatchObject({ code: 0, err: '' });
    expect(moved.json.tables.member).toEqual(backupReport.tables.member);
    expect(
      (await runCli({ DATABASE_URL: to }, 'key', 'list', '--organization', demo.organization_id, '--json')).json,
    ).toHaveLength(1);
    const again = await runCli(environment, 'move', '--to', to);
    expect(again).toMatchObject({ code: 1, out: '', err: expect.stringContaining('already has organizations') });
    const unreachable = await runCli(environment, 'move', '--to', 'postgresql://nobody@127.0.0.1:1/none');
    expect(unreachable).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('--to must be the URL of a database'),
    });
  });
});

it('a deleted working directory is reported as such', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'cms-test-'));
  const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
  const script = 'cd "$0" && rmdir "$0" && exec "$@" organization list';
  const command = [process.execPath, ...COMPILE_ONCE, main];
  const { stderr, status } = spawnSync('sh', ['-c', script, folder, ...command], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([1, 'error: the current folder no longer exists; change to another one\n']);
});
