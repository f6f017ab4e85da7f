import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { temporaryStores } from '../support/directories.ts';
import { runCli, spawnCli } from '../support/processes/cli.ts';
import { startService } from '../support/processes/running.ts';
import { createDatabases } from '../support/servers/databases.ts';

/** Every command, with what it needs and nothing that works. */
const COMMANDS = [
  'organization create',
  'organization list',
  'key create',
  'key list',
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
  'instances',
];

describe('every command', () => {
  it.each(COMMANDS)('%s tells how it is used, with an example', async (command) => {
    const { code, out, err } = await runCli({}, ...command.split(' '), '--help');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain(`Usage: cms ${command}`);
    expect(out).toContain('--json');
    expect(out).toMatch(/Example:\n {2}\$ .*cms /);
  });

  it('is listed by the help of the program', async () => {
    const { out } = await runCli({}, '--help');
    for (const name of new Set(COMMANDS.map((command) => command.split(' ')[0]))) expect(out).toContain(`  ${name} `);
  });

  it.each([
    ['an unknown command', ['grow']],
    ['an unknown option', ['demo', '--big']],
    ['a missing option', ['key', 'list']],
    ['a missing argument', ['backup']],
    ['a wrong choice', ['key', 'create', '--organization', 'o', '--name', 'n', '--scopes', 'all', '--expires', '7']],
    ['no address of a server', ['move', '--to', 'mysql://localhost/x']],
  ])('ends with 2 for %s, which is told on standard error', async (_, args) => {
    const human = await runCli({}, ...args);
    expect({ code: human.code, out: human.out }).toEqual({ code: 2, out: '' });
    expect(human.err).toMatch(/^error: /);
    const json = await runCli({}, ...args, '--json');
    expect({ code: json.code, out: json.out }).toEqual({ code: 2, out: '' });
    expect(JSON.parse(json.err).error.code).toBe('invalid_request');
  });
});

describe('as processes, on a data directory of their own', () => {
  const { folder } = temporaryStores();
  const databases = createDatabases(inject('databaseUrl') ?? '');
  afterAll(() => databases.drop());
  let place: string;
  let environment: Record<string, string>;
  let demo: { key: string; organization_id: string };
  // biome-ignore lint/suspicious/noExplicitAny: what backup answered
  let saved: any;
  beforeAll(async () => {
    place = await folder();
    environment = { DATA_DIR: join(place, 'data') };
    const ran = await spawnCli(environment, 'demo', '--json');
    expect(ran).toMatchObject({ code: 0, err: '' });
    demo = ran.json;
  });

  it('demo makes the organization and is in its audit', async () => {
    const { code, out } = await spawnCli(environment, 'audit', '--organization', demo.organization_id);
    expect(code).toBe(0);
    expect(out).toMatch(/cli +makeDemo +- +ok +cli/);
    expect(out).toMatch(/cli +createApiKey +key_\w+ +ok +cli/);
    expect((await spawnCli(environment, 'migrate', '--json')).json).toEqual({ applied: [] });
  });

  it('backup writes a file, and says what is in it and how far it is', async () => {
    const file = join(place, 'records.gz');
    const human = await spawnCli(environment, 'backup', file);
    expect(human.code).toBe(0);
    expect(human.err).toContain('member: 200 rows\n');
    expect(human.out).toMatch(/^TABLE +ROWS +SHA256\n/);
    const ran = await spawnCli(environment, 'backup', file, '--json');
    expect(ran).toMatchObject({ code: 0, err: '' });
    saved = ran.json;
    expect(saved).toMatchObject({
      tables: { member: { rows: 200, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) } },
      rows: expect.any(Number),
      bytes: (await stat(file)).size,
    });
  });

  it('backup works beside a running service; restore and move are refused there', async () => {
    const service = await startService(environment);
    try {
      const file = join(place, 'running.gz');
      const backup = spawnCli(environment, 'backup', file, '--json');
      const asked = async () =>
        (await fetch(`${service.address}/v1/members`, { headers: { 'X-Api-Key': demo.key } })).status;
      const statuses = await Promise.all([asked(), asked(), backup.then(asked)]);
      expect(statuses).toEqual([200, 200, 200]);
      expect((await backup).json.tables.member).toEqual(saved.tables.member);
      const restored = await runCli(environment, 'restore', file);
      expect(restored).toMatchObject({ code: 1, out: '' });
      expect(restored.err).toContain('error: the target has organizations already');
      const moved = await runCli(environment, 'move', '--to', 'postgresql://nobody@127.0.0.1:1/none');
      expect(moved.err).toMatch(/^error: the service is running on .*stop it first/);
    } finally {
      await service.stop();
    }
  });

  it('restore brings it back elsewhere, all or nothing', async () => {
    const other = { DATA_DIR: join(place, 'other') };
    const file = join(place, 'running.gz');
    const torn = join(place, 'torn.gz');
    await writeFile(torn, (await readFile(file)).subarray(0, 20_000));
    const refused = await runCli(other, 'restore', torn, '--json');
    expect(refused).toMatchObject({ code: 1, out: '' });
    expect(JSON.parse(refused.err).error).toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('torn'),
    });
    const { code, json } = await spawnCli(other, 'restore', file, '--json');
    expect(code).toBe(0);
    expect(json.tables.member).toEqual(saved.tables.member);
    expect((await runCli(other, 'organization', 'list', '--json')).json).toHaveLength(1);
    expect((await runCli(other, 'restore', file)).code).toBe(1);
  });

  it.skipIf(!inject('databaseUrl'))('move copies it to a server, once', async () => {
    const to = databases.urlOf(await databases.create());
    const moved = await spawnCli(environment, 'move', '--to', to, '--json');
    expect(moved).toMatchObject({ code: 0, err: '' });
    expect(moved.json.tables.member).toEqual(saved.tables.member);
    expect(
      (await runCli({ DATABASE_URL: to }, 'key', 'list', '--organization', demo.organization_id, '--json')).json,
    ).toHaveLength(1);
    const again = await runCli(environment, 'move', '--to', to);
    expect(again).toMatchObject({ code: 1, out: '', err: expect.stringContaining('has organizations already') });
    const nowhere = await runCli(environment, 'move', '--to', 'postgresql://nobody@127.0.0.1:1/none');
    expect(nowhere).toMatchObject({ code: 1, out: '', err: expect.stringContaining('--to must name a database') });
  });
});
