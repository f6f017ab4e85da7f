import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { openStore } from '../../../src/store/store.ts';
import { copyStartedOnce, temporaryStores } from '../../support/stores/directories.ts';

const { folder } = temporaryStores();
afterEach(() => {
  vi.unstubAllEnvs();
});

it('a start that fails reports the error of PostgreSQL, and leaves neither a lock nor a link to its long path', async () => {
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
