import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { combine, failedFiles, type Outcome, type RunReport } from './report.ts';
import { REPORT_FILE } from './reporter.ts';

const REPORTER = fileURLToPath(new URL('reporter.ts', import.meta.url));

/** The tests of one run of vitest. */
export interface Suite {
  /** The working directory, which has `node_modules`. */
  readonly folder: string;
  /** Options of vitest for both runs, such as `--config`. */
  readonly options?: readonly string[];
  /** Files or folders; by default all files of the configuration. */
  readonly tests?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  /** Whether a skipped test counts as failed. */
  readonly failOnSkipped: boolean;
  /** Whether the output of vitest is discarded. */
  readonly silent?: boolean;
}

/**
 * Runs a suite, then its failed files a second time: one after the other, each in its own process. The output of vitest
 * goes to standard error.
 */
export async function runTwice(suite: Suite): Promise<Outcome> {
  const { folder, tests = [], failOnSkipped, silent = false } = suite;
  const first = await run(suite, tests);
  const failed = first.report ? failedFiles(first.report) : tests;
  if (first.report && failed.length === 0)
    return withExitCode(combine(first.report, undefined, failOnSkipped), first.code);
  const names = failed.map((file) => file.replace(`${folder}/`, ''));
  if (!silent) process.stderr.write(`\nSecond run, one after the other: ${names.join(' ') || 'all'}\n`);
  const second = await run(suite, failed, ['--isolate', '--maxWorkers=1']);
  const report = first.report ?? second.report;
  if (!report) return { passed: 0, failures: [{ message: 'vitest wrote no report in two runs' }], unstable: [] };
  return withExitCode(combine(report, second.report, failOnSkipped), second.code);
}

/** Adds a failure that is only visible in the exit code, such as an error on closing, or if no test ran. */
function withExitCode(outcome: Outcome, code: number | null): Outcome {
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
    const args = [vitest, 'run', ...options, ...more, '--reporter=default', `--reporter=${REPORTER}`, ...tests];
    const child = spawn(process.execPath, args, {
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
