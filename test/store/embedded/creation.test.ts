import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { requireEmbeddedDatabase } from '../../../src/store/embedded/open-embedded.ts';
import { sql } from '../../../src/store/sql.ts';
import { openStore } from '../../../src/store/store.ts';
import { temporaryStores } from '../../support/stores/directories.ts';

const { folder } = temporaryStores();

it('begins again after a process was killed while it created the files', async () => {
  const directory = await folder();
  const unfinished = join(directory, 'postgres.new', 'base', '1');
  await mkdir(unfinished, { recursive: true });
  await writeFile(join(directory, 'postgres.new', 'PG_VERSION'), '17\n');
  const store = await openStore({ dataDirectory: directory });
  expect(await store.db.rows(sql`SELECT count(*)::int AS count FROM organization`)).toEqual([{ count: 0 }]);
  await store.close();
  expect((await readdir(directory)).sort()).toEqual(['postgres', 'socket']);
});

it('creates a secret and an epoch of its own for each database', async () => {
  const secrets = [];
  for (const directory of [await folder(), await folder()]) {
    const store = await openStore({ dataDirectory: directory });
    const [feed] = await store.db.rows<{ epoch: string }>(sql`SELECT epoch FROM change_feed`);
    secrets.push(store.cursorSecret.toString('hex'), feed?.epoch);
    await store.close();
  }
  expect(new Set(secrets).size).toBe(4);
});

it('is not reported as missing by commands while another process creates it', async () => {
  const directory = await folder();
  await expect(requireEmbeddedDatabase(directory)).rejects.toThrow(
    `there is no database in ${directory} yet; run "npm run -s cli -- migrate"`,
  );
  await mkdir(join(directory, 'postgres.new'));
  await requireEmbeddedDatabase(directory);
});

it('does not remove a folder that it did not create', async () => {
  const directory = await folder();
  const file = join(directory, 'postgres', 'letter.txt');
  await mkdir(join(directory, 'postgres'), { recursive: true });
  await writeFile(file, 'Dear Ada');
  await expect(openStore({ dataDirectory: directory })).rejects.toThrow(/cannot use the data directory .*ENOTEMPTY/);
  expect(await readFile(file, 'utf8')).toBe('Dear Ada');
  expect((await readdir(directory)).sort()).toEqual(['postgres', 'socket']);
});

it('has the schema of a backup that is restored into it', async () => {
  const store = openStore({ dataDirectory: await folder(), migrations: [] });
  // The first statement that needs a table.
  await expect(store).rejects.toThrow('relation "cursor_secret" does not exist');
});
