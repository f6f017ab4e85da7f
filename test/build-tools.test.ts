import { spawnSync } from 'node:child_process';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { temporaryStores } from './support/stores/directories.ts';

const SCRIPT = fileURLToPath(new URL('../.config/check-build-tools.mjs', import.meta.url));
const { folder } = temporaryStores();

it('an installation without development dependencies says what to type instead of building', async () => {
  const copy = join(await folder(), 'check-build-tools.mjs');
  await copyFile(SCRIPT, copy);
  const { status, stderr } = spawnSync('node', [copy], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([
    1,
    'Building the service needs its development dependencies; run: npm ci --include=dev\n',
  ]);
});

it('an installation with them is built', () => {
  const { status, stderr } = spawnSync('node', [SCRIPT], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
});
