import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { openStore, type Store } from '../../src/store/store.ts';
import { times } from '../support/data.ts';
import { COMPILE_ONCE } from '../support/processes/child.ts';
import { runCli, runCliOnTerminal } from '../support/processes/cli.ts';
import { startService } from '../support/processes/running.ts';
import { createDatabases } from '../support/servers/databases.ts';
import { temporaryStores } from '../support/stores/directories.ts';

/** Of files whose import is interrupted after the first of their batches of 500. */
const ROWS = 2_000;
const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

/** A file of members with email addresses that are unique in the database. */
function csvOf(count: number, name = 'm'): string {
  const rows = times(count, (n) => `${name}${n},Ada,Hill ${n},${name}${n}@example.org,650-253-0000,1/2/1990`);
  return ['id,first name,last name,email,phone,birthday', ...rows, ''].join('\n');
}

/** Starts an import as a process, and waits for its first progress line. */
async function startImport(environment: Record<string, string>, ...args: string[]) {
  const { DATABASE_URL: _, DATA_DIR: __, ...inherited } = process.env;
  const child = spawn('node', [COMPILE_ONCE, MAIN, 'import', ...args], { env: { ...inherited, ...environment } });
  const closed = once(child, 'close') as Promise<[number | null, string | null]>;
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  await new Promise<void>((resolve, reject) => {
    child.stderr.on('data', (chunk) => {
      err += chunk;
      if (/\d rows, /.test(err)) resolve();
    });
    void closed.then(([code]) => reject(new Error(`it ended with ${code}: ${err}`)));
  });
  return { child, closed, out: () => out };
}

type Environment = Record<string, string>;

function suite(environmentOf: (startedOnce: () => Promise<string>) => Promise<Environment>): void {
  const { folder, startedOnce } = temporaryStores();
  let [directory, organization, environment] = ['', '', {} as Record<string, string>];
  beforeAll(async () => {
    directory = await folder();
    environment = await environmentOf(startedOnce);
    await runCli(environment, 'migrate');
    const made = await runCli(environment, 'organization', 'create', '--name', 'Test', '--country', 'US', '--json');
    organization = made.json.id;
  });
  const file = async (name: string, content: string): Promise<string> => {
    await writeFile(join(directory, name), content);
    return join(directory, name);
  };
  const importFiles = (...args: string[]) => runCli(environment, 'import', '--organization', organization, ...args);

  it('resumes after kill -9 with every row and every rejection exactly once', async () => {
    const rows = csvOf(ROWS, 'k').split('\n');
    for (const line of [3, 1_000, ROWS - 1]) rows[line] = `${rows[line]?.split(',')[0]},,,,,`;
    const path = await file('members.csv', rows.join('\n'));
    const { child, closed } = await startImport(environment, '--organization', organization, path);
    child.kill('SIGKILL');
    expect((await closed)[1]).toBe('SIGKILL');
    const { code, json } = await importFiles(path, '--json');
    expect(code).toBe(3);
    const [done] = json.files;
    expect(done).toMatchObject({
      rows: ROWS,
      created: ROWS - 3,
      updated: 0,
      unchanged: 0,
      rejected: 3,
      complete: true,
    });
    expect(done.resumed).toBeGreaterThanOrEqual(500);
    expect(done.resumed % 500).toBe(0);
    const rejects = (await readFile(done.rejects_file, 'utf8')).trimEnd().split('\n');
    expect(rejects.map((line) => line.split(',')[0])).toEqual(['id', 'k2', 'k999', `k${ROWS - 2}`]);
    const secondRun = (await importFiles(path, '--json', '--rejects', join(directory, 'again'))).json.files[0];
    expect(secondRun).toMatchObject({ rows: ROWS, created: 0, unchanged: ROWS - 3, rejected: 3, resumed: 0 });
  });

  it('stops after the current batch on Ctrl-C, prints how to resume, and resumes', async () => {
    const path = await file('members-more.csv', csvOf(ROWS, 'i'));
    const { child, closed, out } = await startImport(environment, '--organization', organization, path);
    child.kill('SIGINT');
    expect((await closed)[0]).toBe(130);
    expect(out()).toContain('Interrupted. Run the same command again to resume.');
    const { code, out: output } = await importFiles(path);
    expect(code).toBe(0);
    expect(output).toMatch(/resumed after row \d+ of an interrupted import/);
    expect(output).toMatch(new RegExp(`members-more\\.csv +members +${ROWS} +${ROWS} +0 +0 +0 `));
  });

  holdingTheDatabase(
    () => environment,
    () => {
      it('prints the column mapping and the results of a dry run', async () => {
        const path = await file('people.csv', `${csvOf(2, 't').replace('phone', 'Shoe size')}t9,,,,,\n`);
        const args = [path, '--resource', 'members', '--dry-run', '--rejects', join(directory, 'dry-run')];
        const { code, out } = await importFiles(...args);
        expect(code).toBe(3);
        expect(out).toMatch(/people\.csv +members +3 +2 +0 +0 +1 /);
        expect(out).toContain('people.csv: columns id → external_id, first name → first_name');
        expect(out).toContain('people.csv: ignored columns Shoe size\n');
        expect(out).toContain(`rejected rows are in ${join(directory, 'dry-run', 'people.rejects.csv')}`);
        expect(out).toContain('Dry run: nothing was stored.');
        expect((await importFiles(path, '--resource', 'members', '--json')).json.files[0]).toMatchObject({
          created: 2,
        });
      });

      it('exports files that import without changes, readable by their owner only', async () => {
        const folder = join(directory, 'out');
        const args = [
          'export',
          '--organization',
          organization,
          '--format',
          'csv',
          '--resource',
          'tags',
          '--resource',
          'departments',
        ];
        await importFiles(
          await file('departments.ndjson', '{"name":"Music"}\n'),
          await file('tags.ndjson', '{"name":"Choir"}\n'),
        );
        const { code, json } = await runCli(environment, ...args, '--json', folder);
        expect(code).toBe(0);
        expect(json.files.map(({ resource, rows }: { resource: string; rows: number }) => [resource, rows])).toEqual([
          ['tags', 1],
          ['departments', 1],
        ]);
        expect((await readdir(folder)).sort()).toEqual(['departments.csv', 'tags.csv']);
        const files = (await readdir(folder)).map((name) => join(folder, name));
        const secondRun = await importFiles('--json', ...files);
        expect(secondRun).toMatchObject({ code: 0, err: '' });
        expect(secondRun.json.files.map(({ unchanged }: { unchanged: number }) => unchanged)).toEqual([1, 1]);
        const unwritable = await runCli(environment, ...args, await file('taken', ''));
        expect(unwritable).toMatchObject({
          code: 1,
          err: expect.stringMatching(/^error: .*taken: cannot be written to/),
        });
      });

      it('escapes control characters of file names, columns, values and errors', async () => {
        const evil = '\x1b]0;evil\x07\x9b31m\u202e';
        /** Control characters except those of the progress line. */
        const controlCharacters = (text: string) => text.replaceAll('\r\x1b[K', '').match(/[^\P{Cc}\n]|\u202e/gu);
        const content = `external_id,name,${evil},${evil}2\nevil,Evil,x,y\n`;
        const [path, dryPath] = [await file(`tags-${evil}.csv`, content), await file('tags-dry.csv', content)];
        const args = ['import', '--organization', organization];
        const runs = [
          await runCliOnTerminal(environment, ...args, path),
          await runCliOnTerminal(environment, ...args, '--dry-run', dryPath),
          await importFiles('--json', path),
          await importFiles(await file('tags-twice.csv', `${evil},${evil}\n`)),
          await importFiles(await file('tags-unknown.csv', `${evil}\n`), '--map', 'Name=name'),
          await importFiles('--json', await file('tags-unknown.csv', `${evil}\n`), '--map', 'Name=name'),
          await importFiles(await file(`${evil}.csv`, 'name\n')),
          await importFiles(join(directory, `tags-none${evil}.csv`)),
          await importFiles(dryPath, '--mapping', await file(`mapping${evil}`, 'x')),
          await importFiles(dryPath, '--mapping', await file('mapping', JSON.stringify({ Name: evil }))),
          await runCli(environment, 'import', '--organization', organization, `--${evil}`, path),
        ];
        expect(runs.map(({ code }) => code)).toEqual([0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 2]);
        for (const { out, err } of runs) expect([controlCharacters(out), controlCharacters(err)]).toEqual([null, null]);
        const [human, dry, json] = runs;
        expect(human?.err).toContain('tags-\\u001b]0;evil\\u0007\\u009b31m\\u202e.csv');
        expect(dry?.out).toContain('ignored columns \\u001b]0;evil\\u0007\\u009b31m\\u202e, ');
        expect(json?.json.files[0].columns).toMatchObject({ name: 'name', [evil]: null });
      });

      it('shortens column names to 100 characters', async () => {
        const { out } = await importFiles(
          '--dry-run',
          await file('tags-long.csv', `name,${'x'.repeat(1_000)}\nLong,1\n`),
        );
        expect(out).toContain(`ignored columns ${'x'.repeat(99)}…\n`);
        const { err } = await importFiles(
          ...['--map', 'Nobody=name'],
          await file('tags-many.csv', `name,${times(900, (n) => `${n}${'x'.repeat(200)}`).join(',')}\n`),
        );
        expect(err).toMatch(/has no column "Nobody"; it has name, 0x{98}…, .* and 801 more\n$/);
      });

      it.each([
        [
          'a file whose name tells no resource',
          ['people.csv'],
          /people\.csv: it is not named after a resource; set --resource/,
        ],
        ['a file that does not exist', ['members-none.csv'], /members-none\.csv: cannot be read/],
        [
          'a column mapping for several files',
          ['tags.csv', 'events.csv', '--map', 'a=name'],
          /--map: applies to one file only/,
        ],
        [
          'a mapping that is not JSON',
          ['tags.csv', '--mapping', 'tags.csv'],
          /--mapping: .*tags\.csv is not valid JSON; it must be a JSON object like/,
        ],
        [
          'a mapping that is too long',
          ['tags.csv', '--mapping', 'long.csv'],
          /--mapping: .*long\.csv is longer than 1 MiB/,
        ],
      ])('refuses %s', async (_, args, message) => {
        for (const name of ['people.csv', 'tags.csv', 'events.csv']) await file(name, 'name\n');
        await file('long.csv', `{"Name": "${'x'.repeat(1_048_576)}"}`);
        const { code, out, err } = await importFiles(
          ...args.map((arg) => (/\.csv$/.test(arg) ? join(directory, arg) : arg)),
        );
        expect({ code, out }).toEqual({ code: 1, out: '' });
        expect(err).toMatch(message);
      });
    },
  );
}

/** Tests whose commands join an embedded database that is running: to start it takes seconds, for each command. */
function holdingTheDatabase(environmentOf: () => Environment, tests: () => void): void {
  describe('beside another process', () => {
    let holder: Store | undefined;
    beforeAll(async () => {
      const { DATA_DIR: dataDirectory } = environmentOf();
      if (dataDirectory !== undefined) holder = await openStore({ dataDirectory });
    });
    afterAll(() => holder?.close());
    tests();
  });
}

describe('import and export', () => {
  describe('on the embedded database', () => suite(async (startedOnce) => ({ DATA_DIR: await startedOnce() })));

  describe.skipIf(!inject('databaseUrl'))('on PostgreSQL', () => {
    const databases = createDatabases(inject('databaseUrl') ?? '');
    afterAll(() => databases.drop());
    suite(async () => ({ DATABASE_URL: databases.urlOf(await databases.create()) }));
  });

  describe('beside a running service', () => {
    const { folder, startedOnce } = temporaryStores();

    it('use its embedded database while it serves requests', async () => {
      const directory = await folder();
      const environment = { DATA_DIR: await startedOnce() };
      const demo = (await runCli(environment, 'demo', '--json')).json;
      const service = await startService(environment);
      try {
        await writeFile(join(directory, 'members.csv'), csvOf(1_200));
        const importing = runCli(
          environment,
          'import',
          '--organization',
          demo.organization_id,
          '--json',
          join(directory, 'members.csv'),
        );
        const request = async () =>
          (await fetch(`${service.address}/v1/members?q=hill`, { headers: { 'X-Api-Key': demo.key } })).status;
        expect(await Promise.all([request(), request(), importing.then(request)])).toEqual([200, 200, 200]);
        expect((await importing).json.files[0]).toMatchObject({ created: 1_200, rejected: 0 });
        const out = join(directory, 'out');
        const exported = await runCli(environment, 'export', '--organization', demo.organization_id, '--json', out);
        expect(exported.json.files[2]).toMatchObject({ resource: 'members', rows: 1_400 });
      } finally {
        await service.stop();
      }
    });
  });
});
