import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { spawnCli } from '../support/processes/cli.ts';
import { membersFile, startImport } from '../support/processes/importing.ts';
import { organizationWithKey, temporaryDirectory } from './support/instance.ts';

/** Four batches of 150. */
const ROWS = 600;

it('an import resumes after kill -9, with every row and every rejection exactly once', async () => {
  const directory = temporaryDirectory();
  const environment = { DATA_DIR: join(directory, 'data') };
  const { id } = organizationWithKey(environment);
  const path = join(directory, 'members.csv');
  const lines = membersFile(ROWS);
  for (const line of [3, 400, ROWS - 1]) lines[line] = `m${line - 1},,,,,`;
  await writeFile(path, `${lines.join('\n')}\n`);
  const importFile = (...options: string[]) =>
    spawnCli(environment, 'import', '--organization', id, path, '--json', ...options);

  const { child, closed } = await startImport(environment, '--organization', id, path);
  child.kill('SIGKILL');
  expect((await closed)[1]).toBe('SIGKILL');
  const { code, json } = await importFile();
  expect(code).toBe(3);
  const [done] = json.files;
  expect(done).toMatchObject({ rows: ROWS, created: ROWS - 3, updated: 0, rejected: 3, complete: true });
  expect(done.resumed).toBeGreaterThanOrEqual(150);
  expect(done.resumed % 150).toBe(0);
  const rejects = (await readFile(done.rejects_file, 'utf8'))
    .replace(/^\ufeff/, '')
    .trimEnd()
    .split('\n');
  expect(rejects.map((line) => line.split(',')[0])).toEqual(['id', 'm2', 'm399', `m${ROWS - 2}`]);
  const [secondRun] = (await importFile('--rejects', join(directory, 'again'))).json.files;
  expect(secondRun).toMatchObject({ rows: ROWS, created: 0, unchanged: ROWS - 3, rejected: 3, resumed: 0 });
});
