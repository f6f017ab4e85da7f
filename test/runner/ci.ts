import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { walkDocuments } from '../docs/walk/walk.ts';
import { testOnVersion } from '../postgres/test-on-version.ts';
import { formatOutcomes, type Outcome, runSuite } from './run-suite.ts';

// Runs `npm test`, the tests of pages in a browser, of memory and of the clients, the tests that depend on the server on
// the oldest and newest PostgreSQL, and what the documents say.
// Prints the failures at the end, and the line "N passed, N failed".

const ROOT = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');
const CLIENTS = join(ROOT, 'test/clients');

const withConfig = (file: string) => () =>
  runSuite({ folder: ROOT, options: ['--config', `.config/${file}`], failOnSkipped: true });
const onVersion = (major: string) => () => testOnVersion(major, ['test/store', 'test/apis'], 'PostgreSQL');

const SUITES: Record<string, () => Outcome | Promise<Outcome>> = {
  'npm test': withConfig('vitest.ts'),
  'npm run test:browser': withConfig('vitest.browser.ts'),
  'npm run test:memory': withConfig('vitest.memory.ts'),
  'installation of the clients': () => runScript('test/clients/install.mjs'),
  clients: () => runSuite({ folder: CLIENTS, failOnSkipped: true }),
  'types of the clients': () => runScript('test/clients/node_modules/typescript/bin/tsc', '-p', 'test/clients'),
  'PostgreSQL 14': onVersion('14'),
  'PostgreSQL 18': onVersion('18'),
  'npm run test:docs': () => walkDocuments(ROOT),
};

// Suites run one after another, since each uses all cores.
const outcomes: Outcome[] = [];
for (const [name, run] of Object.entries(SUITES)) {
  const started = performance.now();
  const outcome = await Promise.resolve()
    .then(run)
    .catch((error: Error) => ({ passed: 0, failures: [error.message], unstable: [] }));
  outcomes.push({ ...outcome, failures: outcome.failures.map((failure) => `${name}: ${failure}`) });
  const seconds = Math.round((performance.now() - started) / 1_000);
  process.stdout.write(`${name}: ${outcome.passed} passed, ${outcome.failures.length} failed, ${seconds} s\n`);
}

for (const line of formatOutcomes(outcomes)) process.stdout.write(`${line}\n`);
process.exitCode = outcomes.some(({ failures }) => failures.length > 0) ? 1 : 0;

/** Runs a Node.js script that is not a test; it fails if its exit code is not 0. */
function runScript(...args: string[]): Outcome {
  const { status } = spawnSync(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 2, 2] });
  const failures = status === 0 ? [] : [`${args.join(' ')} ended with exit code ${status}`];
  return { passed: 0, failures, unstable: [] };
}
