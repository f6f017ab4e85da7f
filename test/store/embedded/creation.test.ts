import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { newId } from '../../../src/domain/values/ids.ts';
import { hasEmbeddedDatabase, requireEmbeddedDatabase } from '../../../src/store/embedded/open-embedded.ts';
import { sql } from '../../../src/store/sql.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import { temporaryStores } from '../../support/stores/directories.ts';

const { folder } = temporaryStores();

const stored = async ({ db }: Pick<Store, 'db'>, id: string) =>
  (await db.rows(sql`SELECT FROM organization WHERE id = ${id}`)).length;

it('recreates a database whose creation was interrupted, and keeps it afterwards', async () => {
  const directory = await folder();
  const half = join(directory, 'postgres', 'base', '1');
  await mkdir(half, { recursive: true });
  await writeFile(join(directory, 'postgres', 'PG_VERSION'), '17\n');
  await writeFile(join(half, '1259'), Buffer.alloc(8_192));
  await writeFile(join(directory, 'postgres.creating'), '');
  const recreated = await openStore({ dataDirectory: directory });
  const id = newId('org');
  await recreated.db.rows(sql`INSERT INTO organization (id, name, country) VALUES (${id}, 'Recreated', 'US')`);
  await recreated.close();
  expect((await readdir(directory)).sort()).toEqual(['postgres', 'postgres.complete', 'socket']);

  await writeFile(join(directory, 'socket', '.s.PGSQL.5432'), 'not a socket');
  const reopened = await openStore({ dataDirectory: directory });
  expect(await stored(reopened, id)).toBe(1);
  await reopened.close();
});

it('is not reported as missing by commands while another process creates it', async () => {
  const directory = await folder();
  await expect(requireEmbeddedDatabase(directory)).rejects.toThrow(
    `there is no database in ${directory} yet; run "cms migrate"`,
  );
  await writeFile(join(directory, 'postgres.creating'), '');
  await requireEmbeddedDatabase(directory);
});

it('does not exist if its folder was removed', async () => {
  const directory = await folder();
  await writeFile(join(directory, 'postgres.complete'), '');
  expect(hasEmbeddedDatabase(directory)).toBe(false);
  await mkdir(join(directory, 'postgres'));
  expect(hasEmbeddedDatabase(directory)).toBe(true);
});

it('does not remove a folder that it did not create', async () => {
  const directory = await folder();
  const file = join(directory, 'postgres', 'PG_VERSION');
  await mkdir(join(directory, 'postgres'), { recursive: true });
  await writeFile(file, '16\n');
  await expect(openStore({ dataDirectory: directory })).rejects.toThrow(
    `cannot use the data directory ${directory} (its folder postgres is not a database of this service; move the folder elsewhere)`,
  );
  expect(await readFile(file, 'utf8')).toBe('16\n');
});
