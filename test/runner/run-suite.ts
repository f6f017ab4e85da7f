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

/** Runs a suite; a test that fails runs a second time, and its second result counts. */
export async function runSuite(suite: Suite): Promise<Outcome> {
  const { folder, options = [], tests = [], env = process.env, failOnSkipped, silent } = suite;
  const temporary = await mkdtemp(join(tmpdir(), 'cms-report-'));
  try {
    const report = join(temporary, 'report.json');
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
    const vitest = join(folder, 'node_modules/vitest/vitest.mjs');
    const args = [vitest, 'run', '--retry=1', ...options, ...reporters, ...tests];
    const child = spawn(process.execPath, args, { cwd: folder, env, stdio: silent ? 'ignore' : ['ignore', 2, 2] });
    const [code] = (await once(child, 'exit')) as [number | null];
    const { testResults: files } = JSON.parse(await readFile(report, 'utf8')) as Report;
    const failures = files.flatMap((file) => failuresOf(file, folder, failOnSkipped));
    const passed = files.flatMap((file) => testsOf(file, folder, ['passed']));
    if (failures.length === 0 && passed.length === 0) failures.push('no test ran');
    if (failures.length === 0 && code !== 0) failures.push(`vitest ended with exit code ${code}`);
    const unstable = passed.filter(({ message }) => message !== undefined).map(lineOf);
    return { passed: passed.length, failures, unstable };
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
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

interface TestResult {
  readonly name: string;
  /** The first error, also if the second run passed. */
  readonly message: string | undefined;
}

/** The tests of a file with these statuses. */
function testsOf({ name, assertionResults }: FileResult, folder: string, statuses: readonly string[]): TestResult[] {
  return assertionResults
    .filter(({ status }) => statuses.includes(status))
    .map(({ fullName, failureMessages: [message] }) => ({ name: `${relative(folder, name)} > ${fullName}`, message }));
}

const lineOf = ({ name, message = 'skipped' }: TestResult) => `${name} (${shorten(message)})`;

function failuresOf(file: FileResult, folder: string, failOnSkipped: boolean): string[] {
  const skipped = failOnSkipped ? ['skipped', 'todo'] : [];
  const failures = testsOf(file, folder, ['failed', ...skipped]).map(lineOf);
  // Without a result, the process that ran the file exited.
  const isIncomplete =
    file.assertionResults.length === 0 || file.assertionResults.some((test) => test.status === 'pending');
  if (failures.length > 0 || !(file.status === 'failed' || isIncomplete)) return failures;
  return [lineOf({ name: relative(folder, file.name), message: file.message || 'none of its tests ran' })];
}

/** Formats a message as one line. */
function shorten(message: string): string {
  const line = stripVTControlCharacters(message).replaceAll(/\s+/g, ' ').trim();
  return line.length > MAX_MESSAGE_CHARACTERS ? `${line.slice(0, MAX_MESSAGE_CHARACTERS)}…` : line;
}
