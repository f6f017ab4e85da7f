import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { testOnVersion } from '../postgres/test-on-version.ts';
import { formatOutcomes } from './format-outcomes.ts';
import type { Outcome } from './report.ts';
import { runTwice } from './run-twice.ts';

// Runs `npm test`, the tests of pages in a browser, of memory and of the clients, and the tests that depend on the server
// on the oldest and newest PostgreSQL.
// Prints the failures at the end, and the line "N passed, N failed".

const ROOT = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');
const CLIENTS = join(ROOT, 'test/clients');

const suites: readonly (readonly [name: string, run: () => Outcome | Promise<Outcome>])[] = [
  ['npm test', () => runTwice({ folder: ROOT, options: ['--config', '.config/vitest.ts'], failOnSkipped: true })],
  [
    'npm run test:browser',
    () => runTwice({ folder: ROOT, options: ['--config', '.config/vitest.browser.ts'], failOnSkipped: true }),
  ],
  [
    'npm run test:memory',
    () => runTwice({ folder: ROOT, options: ['--config', '.config/vitest.memory.ts'], failOnSkipped: true }),
  ],
  ['installation of the clients', () => runScript('test/clients/install.mjs')],
  ['clients', () => runTwice({ folder: CLIENTS, failOnSkipped: true })],
  ['types of the clients', () => runScript('test/clients/node_modules/typescript/bin/tsc', '-p', 'test/clients')],
  ...['14', '18'].map(
    (major) => [`PostgreSQL ${major}`, () => testOnVersion(major, ['test/store', 'test/apis'], 'PostgreSQL')] as const,
  ),
];

// Suites run one after another, since each uses all cores.
const outcomes: Outcome[] = [];
for (const [name, run] of suites) {
  const started = performance.now();
  const outcome = await Promise.resolve()
    .then(run)
    .catch((error: Error) => ({ passed: 0, failures: [{ message: error.message }], unstable: [] }));
  const failures = outcome.failures.map((failure) => ({ ...failure, message: `${name}: ${failure.message}` }));
  outcomes.push({ ...outcome, failures });
  const seconds = Math.round((performance.now() - started) / 1_000);
  process.stdout.write(`${name}: ${outcome.passed} passed, ${failures.length} failed, ${seconds} s\n`);
}

for (const line of formatOutcomes(outcomes, ROOT)) process.stdout.write(`${line}\n`);
process.exitCode = outcomes.some(({ failures }) => failures.length > 0) ? 1 : 0;

/** Runs a Node.js script that is not a test; it fails if its exit code is not 0. */
function runScript(...args: string[]): Outcome {
  const { status } = spawnSync(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 2, 2] });
  const failures = status === 0 ? [] : [{ message: `${args.join(' ')} ended with exit code ${status}` }];
  return { passed: 0, failures, unstable: [] };
}
