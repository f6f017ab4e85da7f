import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { times } from '../../support/data.ts';
import { COMPILE_ONCE } from '../../support/processes/child.ts';
import { runCli } from '../../support/processes/cli.ts';
import { createDatabases } from '../../support/servers/databases.ts';
import { temporaryStores } from '../../support/stores/directories.ts';

/** The number of rows of files whose import is interrupted after the first batch of 150. */
const ROWS = 600;
const MAIN = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url));

/** A file of members with unique email addresses. */
function csvOf(count: number, name: string): string {
  const rows = times(count, (n) => `${name}${n},Ada,Hill ${n},${name}${n}@example.org,650-253-0000,1/2/1990`);
  return ['id,first name,last name,email,phone,birthday', ...rows, ''].join('\n');
}

/** Starts an import as a process, and waits for its first progress line. */
async function startImport(environment: Record<string, string>, ...args: string[]) {
  const { DATABASE_URL: _, DATA_DIR: __, ...inherited } = process.env;
  const child = spawn('node', [...COMPILE_ONCE, MAIN, 'import', ...args], { env: { ...inherited, ...environment } });
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

// On PostgreSQL if it is reachable: an embedded database takes seconds to start in each process.
describe('an import', () => {
  const { folder, startedOnce } = temporaryStores();
  const databases = createDatabases(inject('databaseUrl') ?? '');
  let [directory, organization, environment] = ['', '', {} as Record<string, string>];
  beforeAll(async () => {
    directory = await folder();
    environment = inject('databaseUrl')
      ? { DATABASE_URL: databases.urlOf(await databases.create(inject('migratedDatabase'))) }
      : { DATA_DIR: await startedOnce() };
    const made = await runCli(environment, 'organization', 'create', '--name', 'Test', '--country', 'US', '--json');
    organization = made.json.id;
  });
  afterAll(() => databases.drop());
  const file = async (name: string, content: string): Promise<string> => {
    await writeFile(join(directory, name), content);
    return join(directory, name);
  };
  const importFiles = (...args: string[]) => runCli(environment, 'import', '--organization', organization, ...args);

  it('resumes after kill -9, with every row and every rejection exactly once', async () => {
    const rows = csvOf(ROWS, 'k').split('\n');
    for (const line of [3, 400, ROWS - 1]) rows[line] = `${rows[line]?.split(',')[0]},,,,,`;
    const path = await file('members.csv', rows.join('\n'));
    const { child, closed } = await startImport(environment, '--organization', organization, path);
    child.kill('SIGKILL');
    expect((await closed)[1]).toBe('SIGKILL');
    const { code, json } = await importFiles(path, '--json');
    expect(code).toBe(3);
    const [done] = json.files;
    expect(done).toMatchObject({ rows: ROWS, created: ROWS - 3, updated: 0, rejected: 3, complete: true });
    expect(done.resumed).toBeGreaterThanOrEqual(150);
    expect(done.resumed % 150).toBe(0);
    const rejects = (await readFile(done.rejects_file, 'utf8'))
      .replace(/^\ufeff/, '')
      .trimEnd()
      .split('\n');
    expect(rejects.map((line) => line.split(',')[0])).toEqual(['id', 'k2', 'k399', `k${ROWS - 2}`]);
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
});
