import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, inject, it, vi } from 'vitest';
import { requireEmbeddedDatabase } from '../../../src/store/embedded/open-embedded.ts';
import { sql } from '../../../src/store/sql.ts';
import { openStore } from '../../../src/store/store.ts';
import { copyStartedOnce, temporaryStores } from '../../support/stores/directories.ts';

const { folder } = temporaryStores();
afterEach(() => {
  vi.unstubAllEnvs();
});

it('begins again after a process was killed while it created the files, with secrets of its own', async () => {
  const directory = await folder();
  const unfinished = join(directory, 'postgres.new', 'base', '1');
  await mkdir(unfinished, { recursive: true });
  await writeFile(join(directory, 'postgres.new', 'PG_VERSION'), '17\n');
  const store = await openStore({ dataDirectory: directory });
  expect(await store.db.rows(sql`SELECT count(*)::int AS count FROM organization`)).toEqual([{ count: 0 }]);
  const other = await openStore({ dataDirectory: inject('dataDirectory'), join: true });
  expect(store.appSecret).not.toEqual(other.appSecret);
  const epoch = sql`SELECT epoch FROM change_feed`;
  expect(await store.db.rows(epoch)).not.toEqual(await other.db.rows(epoch));
  await other.close();
  await store.close();
  expect((await readdir(directory)).sort()).toEqual(['postgres', 'socket']);
});

it('is not reported as missing by commands while another process creates it', async () => {
  const directory = await folder();
  await expect(requireEmbeddedDatabase(directory)).rejects.toThrow(
    `there is no database in ${directory} yet; run "./cms migrate"`,
  );
  await mkdir(join(directory, 'socket'));
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

it('reports the error of PostgreSQL if it fails to start, and leaves neither a lock nor a link to its long path', async () => {
  const [links, parent] = [await folder(), await folder()];
  vi.stubEnv('TMPDIR', links);
  const dataDirectory = join(parent, 'long'.repeat(30));
  copyStartedOnce(dataDirectory);
  await writeFile(join(dataDirectory, 'postgres', 'global', 'pg_control'), '');
  const before = await readdir(dataDirectory);
  await expect(openStore({ dataDirectory })).rejects.toThrow(
    /^cannot use the data directory .* \(could not read file "global\/pg_control".*\)$/,
  );
  expect(await readdir(links)).toEqual([]);
  expect(new Set(await readdir(dataDirectory))).toEqual(new Set([...before, 'socket']));
});
