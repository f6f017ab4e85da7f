import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { formatOutcomes, runSuite } from './run-suite.ts';

let folder: string;

/** Test files; the second test of `once` fails until it has created a file. */
const FILES = {
  'vitest.config.mjs': 'export default { test: { include: ["*.test.mjs"], isolate: false } };',
  'good.test.mjs': `import { it } from 'vitest'; it('is run once', () => {});`,
  'once.test.mjs': `import { existsSync, writeFileSync } from 'node:fs';
    import { expect, it } from 'vitest';
    it('passes', () => {});
    it('fails once', () => {
      const exists = existsSync('once');
      writeFileSync('once', '');
      expect(exists).toBe(true);
    });`,
  'twice.test.mjs': `import { it } from 'vitest'; it('fails', () => { throw new Error('no'); });`,
  'broken.test.mjs': `import './missing.mjs';`,
  'skipped.test.mjs': `import { it } from 'vitest'; it('is skipped', { skip: true }, () => {});`,
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cms-runner-'));
  await symlink(join(import.meta.dirname, '../../node_modules'), join(folder, 'node_modules'));
  for (const [name, text] of Object.entries(FILES)) await writeFile(join(folder, name), text);
});

afterAll(() => rm(folder, { recursive: true }));

it('counts the second result of a test that fails, and reports what failed', async () => {
  const outcome = await runSuite({ folder, failOnSkipped: true, silent: true });
  expect(formatOutcomes([outcome])).toEqual([
    expect.stringMatching(
      /^passed on the second run: once.test.mjs > fails once \(AssertionError: expected false to be/,
    ),
    expect.stringMatching(/^failed: broken.test.mjs \(.*missing.mjs/),
    'failed: skipped.test.mjs > is skipped (skipped)',
    expect.stringMatching(/^failed: twice.test.mjs > fails \(Error: no /),
    '3 passed, 3 failed',
  ]);
});
