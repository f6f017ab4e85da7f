import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runTwice } from './run-twice.ts';

const ROOT = join(import.meta.dirname, '../..');

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cms-runner-'));
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  await write('vitest.config.mjs', 'export default { test: { include: ["*.test.mjs"], isolate: false } };');
});

afterAll(() => rm(folder, { recursive: true }));

const write = (name: string, text: string) => writeFile(join(folder, name), text);

/** A file whose second test fails once: it creates a file that it expects to exist. */
const failsOnce = (name: string) => `
  import { existsSync, writeFileSync } from 'node:fs';
  import { expect, it } from 'vitest';
  it('passes', () => {});
  it('fails once', () => {
    const exists = existsSync('${name}');
    writeFileSync('${name}', '');
    expect(exists).toBe(true);
  });`;

const inFolder = (file: string) => join(folder, file);

it('runs failed files twice, and reports the failures', async () => {
  await write('good.test.mjs', `import { it } from 'vitest'; it('is run once', () => {});`);
  await write('once.test.mjs', failsOnce('once'));
  await write('twice.test.mjs', `import { it } from 'vitest'; it('fails', () => { throw new Error('no'); });`);
  await write('broken.test.mjs', `import './missing.mjs';`);
  await write(
    'unhandled.test.mjs',
    `import { it } from 'vitest'; it('leaves a promise', async () => {
      Promise.reject(new Error('left'));
      await new Promise((resolve) => setImmediate(resolve));
    });`,
  );
  await write('skipped.test.mjs', `import { it } from 'vitest'; it('is skipped', { skip: true }, () => {});`);
  const { passed, failures, unstable } = await runTwice({ folder, failOnSkipped: true, silent: true });
  expect(passed).toBe(4);
  expect(failures).toHaveLength(4);
  expect(failures).toEqual(
    expect.arrayContaining([
      { file: inFolder('twice.test.mjs'), test: 'fails', message: 'no' },
      { file: inFolder('broken.test.mjs'), message: expect.stringContaining('missing.mjs') },
      { file: inFolder('unhandled.test.mjs'), message: 'unhandled error: left' },
      { file: inFolder('skipped.test.mjs'), test: 'is skipped', message: 'it was skipped' },
    ]),
  );
  expect(unstable).toEqual([
    { file: inFolder('once.test.mjs'), test: 'fails once', message: expect.any(String), failedIn: 'first' },
  ]);
});

it('fails if no test ran', async () => {
  const { failures } = await runTwice({
    folder,
    options: ['--testNamePattern', 'unknown'],
    tests: ['good'],
    failOnSkipped: false,
    silent: true,
  });
  expect(failures).toEqual([{ message: 'no test ran' }]);
});
