import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { EmbeddedDatabaseUnusableError } from '../../../src/store/embedded/failure.ts';
import { openStore } from '../../../src/store/store.ts';
import { copyStartedOnce, temporaryStores } from '../../support/stores/directories.ts';

const { folder } = temporaryStores();
afterEach(() => {
  vi.unstubAllEnvs();
});

it('a start that fails leaves neither a lock nor a link to its long path', async () => {
  const [links, parent] = [await folder(), await folder()];
  vi.stubEnv('TMPDIR', links);
  const dataDirectory = join(parent, 'long'.repeat(30));
  copyStartedOnce(dataDirectory);
  await writeFile(join(dataDirectory, 'postgres', 'global', 'pg_control'), '');
  const before = await readdir(dataDirectory);
  await expect(openStore({ dataDirectory })).rejects.toThrow(EmbeddedDatabaseUnusableError);
  expect(await readdir(links)).toEqual([]);
  expect(new Set(await readdir(dataDirectory))).toEqual(new Set([...before, 'socket']));
});
