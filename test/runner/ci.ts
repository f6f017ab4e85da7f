import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { testOnVersion } from '../postgres/test-on-version.ts';
import type { Outcome } from './report.ts';
import { linesOf } from './text.ts';
import { runTwice } from './vitest.ts';

// All tests, those of the clients, and on the oldest and the newest PostgreSQL those that a server makes a difference
// to. Ends with the failures and the line "N passed, N failed".

const ROOT = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');
const CLIENTS = join(ROOT, 'test/clients');

const suites: readonly (readonly [name: string, run: () => Outcome | Promise<Outcome>])[] = [
  ['npm test', () => runTwice({ folder: ROOT, options: ['--config', '.config/vitest.ts'], skippedFail: true })],
  ['installation of the clients', () => command('test/clients/install.mjs')],
  ['clients', () => runTwice({ folder: CLIENTS, skippedFail: true })],
  ['types of the clients', () => command('test/clients/node_modules/typescript/bin/tsc', '-p', 'test/clients')],
  ...['14', '18'].map(
    (major) => [`PostgreSQL ${major}`, () => testOnVersion(major, ['test/store', 'test/apis'], 'PostgreSQL')] as const,
  ),
];

// One suite after the other: each takes all of the machine.
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

for (const line of linesOf(outcomes, ROOT)) process.stdout.write(`${line}\n`);
process.exitCode = outcomes.some(({ failures }) => failures.length > 0) ? 1 : 0;

/** Runs a script of node that is no test, and that fails with an exit code. */
function command(...words: string[]): Outcome {
  const { status } = spawnSync(process.execPath, words, { cwd: ROOT, stdio: ['ignore', 2, 2] });
  const failures = status === 0 ? [] : [{ message: `${words.join(' ')} ended with exit code ${status}` }];
  return { passed: 0, failures, unstable: [] };
}
