import { spawnSync } from 'node:child_process';
import { copyFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { appOn } from '../support/apps.ts';
import { client } from '../support/client.ts';
import { runCli } from '../support/processes/cli.ts';
import { createDatabases } from '../support/servers/databases.ts';
import { temporaryStores } from '../support/stores/directories.ts';
import { text } from './commands/commands.ts';

describe('every command', () => {
  it.each([
    [['key'], 'a command is required'],
    [['help', 'grow'], 'there is no such command'],
    [['key', 'help', 'grow'], 'there is no such command'],
  ])('%j exits with 2 and prints that %s', async (args, reason) => {
    const { code, out, err } = await runCli({}, ...args);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(`error: ${reason}; --help lists them\n`);
  });

  it('names every missing option in one error, with its description', async () => {
    const { code, err } = await runCli({}, 'key', 'create', '--name', 'Website', '--json');
    const { details } = JSON.parse(err).error;
    const fields = details.map(({ field }: { field: string }) => field);
    expect([code, fields]).toEqual([2, ['--organization', '--scopes', '--expires']]);
    const human = await runCli({}, 'key', 'list');
    expect([human.code, human.err]).toEqual([2, 'error: --organization: required (the id of the organization)\n']);
  });

  it.each([
    ['an unknown command', ['grow']],
    ['an unknown option', ['demo', '--big']],
    ['a repeated option', ['key', 'list', '--organization', 'org_1', '--organization', 'org_2']],
    ['a missing option', ['key', 'list']],
    ['a missing argument', ['backup']],
    ['an invalid choice', ['key', 'create', '--organization', 'o', '--name', 'n', '--scopes', 'all', '--expires', '7']],
  ])('exits with 2 for %s, and prints the error to standard error', async (_, args) => {
    const human = await runCli({}, ...args);
    expect({ code: human.code, out: human.out }).toEqual({ code: 2, out: '' });
    expect(human.err).toMatch(/^error: /);
    const json = await runCli({}, ...args, '--json');
    expect({ code: json.code, out: json.out }).toEqual({ code: 2, out: '' });
    expect(JSON.parse(json.err).error.code).toBe('invalid_request');
  });
});

describe('on a separate data directory', () => {
  const { folder, startedOnce, open, close } = temporaryStores();
  const databases = createDatabases(inject('databaseUrl') ?? '');
  afterAll(() => databases.drop());
  let directory: string;
  let environment: Record<string, string>;
  // biome-ignore lint/suspicious/noExplicitAny: the output of backup
  let backupReport: any;
  beforeAll(async () => {
    directory = await folder();
    environment = { DATA_DIR: await startedOnce() };
  });

  it('commands work while the embedded database is open, as by the service; restore and move are refused', async () => {
    const service = await open({ dataDirectory: environment.DATA_DIR as string });
    const { code, err, json: demo } = await runCli(environment, 'demo', '--json');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const audit = await runCli(environment, 'audit', '--organization', demo.organization_id);
    expect(audit.out).toMatch(/makeDemo +ok +org_\w+ +cli\S* +cli/);
    const file = join(directory, 'running.gz');
    const backup = runCli(environment, 'backup', file, '--json');
    const organization = client(appOn({ store: service }, {}), demo.key);
    const request = async () => (await organization.get('/members')).status;
    const statuses = await Promise.all([request(), request(), backup.then(request)]);
    expect(statuses).toEqual([200, 200, 200]);
    backupReport = (await backup).json;
    expect(backupReport).toMatchObject({
      tables: { member: { rows: 200, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) } },
      rows: expect.any(Number),
      bytes: (await stat(file)).size,
    });
    const human = await runCli(environment, 'backup', join(directory, 'records.gz'));
    expect(human).toMatchObject({ code: 0, err: expect.stringContaining('member: 200 rows\n') });
    expect(human.out).toMatch(/^TABLE +ROWS +SHA256\n/);
    const restored = await runCli(environment, 'restore', file);
    expect(restored).toMatchObject({ code: 1, out: '' });
    expect(restored.err).toContain('error: the target already has organizations');
    const moved = await runCli(environment, 'move', '--to', 'postgresql://nobody@127.0.0.1:1/none');
    expect(moved.err).toMatch(/^error: the service is running on .*stop it first/);
    await close(service);
  });

  it('restore loads a backup only once', async () => {
    // On a server if there is one, which commands open in a fraction of the time.
    const other: Record<string, string> = inject('databaseUrl')
      ? { DATABASE_URL: databases.urlOf(await databases.create(inject('migratedDatabase'))) }
      : { DATA_DIR: await startedOnce() };
    const file = join(directory, 'running.gz');
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
    const again = await text('move', '--to', to);
    expect(again).toMatchObject({ code: 1, out: '', err: expect.stringContaining('already has organizations') });
    const unreachable = await text('move', '--to', 'postgresql://nobody@127.0.0.1:1/none');
    expect(unreachable).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('--to must be the URL of a database'),
    });
  });
});

const { folder } = temporaryStores();

it('the script says how to build the service if it is not built', async () => {
  const script = join(await folder(), 'cms.mjs');
  await copyFile(new URL('../../cms', import.meta.url), script);
  const { stderr, status } = spawnSync(process.execPath, [script, 'demo'], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([1, 'error: the service is not built; run: npm ci\n']);
});

it('the script that the help names runs the command line, which reports a deleted working directory as such', async () => {
  expect((await runCli({}, '--help')).out).toMatch(/^Usage: \.\/cms /);
  const directory = await folder();
  const script = fileURLToPath(new URL('../../cms', import.meta.url));
  const command = 'cd "$0" && rmdir "$0" && exec "$1" organization list';
  const { stderr, status } = spawnSync('sh', ['-c', command, directory, script], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([1, 'error: the current folder no longer exists; change to another one\n']);
});
