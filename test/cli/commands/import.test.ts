import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { runCli } from '../../support/processes/cli.ts';
import { membersFile, startImport } from '../../support/processes/importing.ts';
import { createDatabases } from '../../support/servers/databases.ts';
import { temporaryStores } from '../../support/stores/directories.ts';

/** Four batches of 150, so that some remain when the signal arrives. */
const ROWS = 600;

// On PostgreSQL if it is reachable: an embedded database takes seconds to start in each process.
describe('an import', () => {
  const { folder, startedOnce } = temporaryStores();
  const databases = createDatabases(inject('databaseUrl') ?? '');
  let [organization, environment] = ['', {} as Record<string, string>];
  beforeAll(async () => {
    environment = inject('databaseUrl')
      ? { DATABASE_URL: databases.urlOf(await databases.create(inject('migratedDatabase'))) }
      : { DATA_DIR: await startedOnce() };
    const made = await runCli(environment, 'organization', 'create', '--name', 'Test', '--country', 'US', '--json');
    organization = made.json.id;
  });
  afterAll(() => databases.drop());

  it('stops after the current batch on Ctrl-C, prints how to resume, and resumes with every rejection once', async () => {
    const directory = await folder();
    const path = join(directory, 'members.csv');
    const lines = membersFile(ROWS);
    for (const line of [3, ROWS - 1]) lines[line] = `m${line - 1},,,,,`;
    await writeFile(path, `${lines.join('\n')}\n`);
    const { child, closed, out } = await startImport(environment, '--organization', organization, path);
    child.kill('SIGINT');
    expect((await closed)[0]).toBe(130);
    expect(out()).toContain('Interrupted. Run the same command again to resume.');
    const { code, out: output } = await runCli(environment, 'import', '--organization', organization, path);
    expect(code).toBe(3);
    expect(output).toMatch(/resumed after row \d+ of an interrupted import/);
    expect(output).toMatch(new RegExp(`members\\.csv +members +${ROWS} +${ROWS - 2} +0 +0 +2 `));
    const rejects = await readFile(join(directory, 'members.rejects.csv'), 'utf8');
    const rejected = rejects
      .replace(/^\ufeff/, '')
      .trimEnd()
      .split('\n');
    expect(rejected.map((line) => line.split(',')[0])).toEqual(['id', 'm2', `m${ROWS - 2}`]);
  });

  it('is undone by running the command again if the first undo was killed', async () => {
    const directory = await folder();
    const path = join(directory, 'members.csv');
    await writeFile(path, `${membersFile(ROWS).join('\n').replaceAll('@example.org', '@undo.example.org')}\n`);
    const made = await runCli(environment, 'organization', 'create', '--name', 'Undo', '--country', 'US', '--json');
    const of = ['--organization', made.json.id];
    const imported = await runCli(environment, 'import', ...of, path, '--json');
    const [{ run_id }] = imported.json.files;
    const { child, closed } = await startImport(environment, '--undo', run_id);
    child.kill('SIGKILL');
    await closed;
    const undone = await runCli(environment, 'import', '--undo', run_id, '--json');
    expect(undone.json).toMatchObject({ complete: true, removed: ROWS, kept: [] });
    const runs = await runCli(environment, 'import-runs', ...of, '--json');
    expect(runs.json).toMatchObject([{ id: run_id, state: 'undone' }]);
    const exported = await runCli(environment, 'export', ...of, directory, '--json');
    expect(exported.code).toBe(0);
    expect(await readFile(join(directory, 'members.ndjson'), 'utf8')).toBe('');
  });
});
