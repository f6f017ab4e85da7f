import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { combine, failedFiles, type Outcome, type RunReport } from './report.ts';
import { REPORT_FILE } from './reporter.ts';

const REPORTER = fileURLToPath(new URL('reporter.ts', import.meta.url));

/** Tests that one vitest runs. */
export interface Suite {
  /** Where its `node_modules` are. */
  readonly folder: string;
  /** Options of vitest that both runs get, such as `--config`. */
  readonly options?: readonly string[];
  /** Files or folders; all of the configuration if none is given. */
  readonly tests?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  /** Whether a test that is skipped counts as failed. */
  readonly skippedFail: boolean;
  /** Whether the output of vitest is left out. */
  readonly silent?: boolean;
}

/**
 * Runs a suite, and the files that failed once more, one after the other and each in a process of its own. The output
 * of vitest goes to standard error.
 */
export async function runTwice(suite: Suite): Promise<Outcome> {
  const { folder, tests = [], skippedFail, silent = false } = suite;
  const first = await run(suite, tests);
  const again = first.report ? failedFiles(first.report) : tests;
  if (first.report && again.length === 0) return withExit(combine(first.report, undefined, skippedFail), first.code);
  const names = again.map((file) => file.replace(`${folder}/`, ''));
  if (!silent) process.stderr.write(`\nSecond run, alone: ${names.join(' ') || 'all'}\n`);
  const second = await run(suite, again, ['--isolate', '--maxWorkers=1']);
  const report = first.report ?? second.report;
  if (!report) return { passed: 0, failures: [{ message: 'vitest has not written a report, twice' }], unstable: [] };
  return withExit(combine(report, second.report, skippedFail), second.code);
}

/** Adds what vitest reports through its exit code alone, such as an error on closing, or that no test ran. */
function withExit(outcome: Outcome, code: number | null): Outcome {
  const { passed, failures, unstable } = outcome;
  if (failures.length > 0) return outcome;
  if (passed === 0) return { ...outcome, failures: [{ message: 'no test ran' }] };
  const isExplained = code === 0 || unstable.some(({ failedIn }) => failedIn === 'second');
  return isExplained ? outcome : { ...outcome, failures: [{ message: `the exit code of vitest was ${code}` }] };
}

async function run(
  { folder, options = [], env = process.env, silent = false }: Suite,
  tests: readonly string[],
  more: readonly string[] = [],
): Promise<{ report: RunReport | undefined; code: number | null }> {
  const temporary = await mkdtemp(join(tmpdir(), 'cms-report-'));
  const file = join(temporary, 'report.json');
  try {
    const vitest = join(folder, 'node_modules/vitest/vitest.mjs');
    const words = [vitest, 'run', ...options, ...more, '--reporter=default', `--reporter=${REPORTER}`, ...tests];
    const child = spawn(process.execPath, words, {
      cwd: folder,
      env: { ...env, [REPORT_FILE]: file },
      stdio: silent ? 'ignore' : ['ignore', 2, 2],
    });
    const [code] = (await once(child, 'exit')) as [number | null];
    const text = await readFile(file, 'utf8').catch(() => undefined);
    return { report: text === undefined ? undefined : JSON.parse(text), code };
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}
