import { spawnSync } from 'node:child_process';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { temporaryStores } from './support/stores/directories.ts';

const SCRIPT = fileURLToPath(new URL('../.config/prepare.mjs', import.meta.url));
const { folder } = temporaryStores();

it.each([
  ['ci', 1, 'Building the service needs its development dependencies; run: npm ci --include=dev\n'],
  // As `npx cms` does.
  ['exec', 0, ''],
])('npm %s without development dependencies exits with %d: "%s"', async (command, code, message) => {
  const copy = join(await folder(), 'prepare.mjs');
  await copyFile(SCRIPT, copy);
  const env = { ...process.env, npm_command: command };
  const { status, stderr } = spawnSync('node', [copy], { encoding: 'utf8', env });
  expect([status, stderr]).toEqual([code, message]);
});
