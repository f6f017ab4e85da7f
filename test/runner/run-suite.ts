import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/** The tests of one run of vitest. */
export interface Suite {
  /** The working directory, which has `node_modules`. */
  readonly folder: string;
  /** Options of vitest, such as `--config`. */
  readonly options?: readonly string[];
  /** Files or folders; by default all files of the configuration. */
  readonly tests?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  /** Whether a skipped test counts as failed. */
  readonly failOnSkipped: boolean;
  /** Whether the output of vitest is discarded; by default it goes to standard error. */
  readonly silent?: boolean;
}

/** The number of tests that passed, and a line for each failure and for each test that passed on the second run only. */
export interface Outcome {
  readonly passed: number;
  readonly failures: readonly string[];
  readonly unstable: readonly string[];
}

/** The report of vitest's reporter `json`, as far as it is read here. */
interface Report {
  readonly testResults: readonly FileResult[];
}
interface FileResult {
  readonly name: string;
  readonly status: 'passed' | 'failed';
  readonly message: string;
  readonly assertionResults: readonly {
    readonly fullName: string;
    readonly status: string;
    readonly failureMessages: readonly string[];
  }[];
}

const MAX_MESSAGE_CHARACTERS = 500;

/** Runs a suite, then its files with failures a second time, one after the other. The second result of a file counts. */
export async function runSuite(suite: Suite): Promise<Outcome> {
  const { folder, options = [], tests = [], failOnSkipped } = suite;
  const first = await runVitest(suite, options, tests);
  const failed = first.files.filter(hasFailed);
  const second =
    failed.length === 0
      ? first
      : await runVitest(
          suite,
          [...options, '--maxWorkers=1'],
          failed.map(({ name }) => relative(folder, name)),
        );
  const repeated = new Map(second.files.map((file) => [file.name, file]));
  const files = first.files.map((file) => repeated.get(file.name) ?? file);
  const failures = files.flatMap((file) => failuresOf(file, folder, failOnSkipped));
  const passed = files.flatMap(({ assertionResults }) => assertionResults).filter(({ status }) => status === 'passed');
  if (passed.length === 0 && failures.length === 0) failures.push('no test ran');
  if (second.code !== 0 && failures.length === 0) failures.push(`vitest ended with exit code ${second.code}`);
  const unstable = failed.flatMap((file) => failuresOf(file, folder, false));
  return { passed: passed.length, failures, unstable: unstable.filter((line) => !isListed(line, failures)) };
}

/** Formats the outcomes of several suites. The last line has the number of tests that passed and failed. */
export function formatOutcomes(outcomes: readonly Outcome[]): string[] {
  const failures = outcomes.flatMap((outcome) => outcome.failures);
  return [
    ...outcomes.flatMap(({ unstable }) => unstable).map((line) => `passed on the second run: ${line}`),
    ...failures.map((line) => `failed: ${line}`),
    `${outcomes.reduce((sum, { passed }) => sum + passed, 0)} passed, ${failures.length} failed`,
  ];
}

async function runVitest(
  { folder, env = process.env, silent }: Suite,
  options: readonly string[],
  tests: readonly string[],
) {
  const temporary = await mkdtemp(join(tmpdir(), 'cms-report-'));
  const file = join(temporary, 'report.json');
  try {
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
    const args = [join(folder, 'node_modules/vitest/vitest.mjs'), 'run', ...options, ...reporters, ...tests];
    const child = spawn(process.execPath, args, { cwd: folder, env, stdio: silent ? 'ignore' : ['ignore', 2, 2] });
    const [code] = (await once(child, 'exit')) as [number | null];
    const report = JSON.parse(await readFile(file, 'utf8')) as Report;
    return { files: report.testResults, code };
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

/** Without a result, the process that ran the file exited. */
function hasFailed({ status, assertionResults }: FileResult): boolean {
  return (
    status === 'failed' || assertionResults.length === 0 || assertionResults.some((test) => test.status === 'pending')
  );
}

function failuresOf(file: FileResult, folder: string, failOnSkipped: boolean): string[] {
  const name = relative(folder, file.name);
  const counted = failOnSkipped ? ['passed'] : ['passed', 'skipped', 'todo'];
  const failures = file.assertionResults
    .filter(({ status }) => !counted.includes(status))
    .map(({ fullName, status, failureMessages: [message = status] }) => `${name} > ${fullName} (${shorten(message)})`);
  if (failures.length > 0 || !hasFailed(file)) return failures;
  return [`${name} (${shorten(file.message || 'none of its tests ran')})`];
}

/** Whether the same test is among the failures, maybe with another message. */
function isListed(line: string, failures: readonly string[]): boolean {
  const test = line.slice(0, line.indexOf(' ('));
  return failures.some((failure) => failure.startsWith(test));
}

/** Formats a message as one line. */
function shorten(message: string): string {
  const line = stripVTControlCharacters(message).replaceAll(/\s+/g, ' ').trim();
  return line.length > MAX_MESSAGE_CHARACTERS ? `${line.slice(0, MAX_MESSAGE_CHARACTERS)}…` : line;
}
