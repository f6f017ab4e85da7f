/** The result of a test; `pending` if it did not finish. */
export interface TestReport {
  /** Its title, after the titles of its `describe` blocks. */
  readonly name: string;
  readonly state: 'passed' | 'failed' | 'skipped' | 'pending';
  /** Why it failed; empty if it did not. */
  readonly message: string;
}

/** The result of a test file. */
export interface FileReport {
  readonly file: string;
  /** Errors outside of its tests: on import, in beforeAll and afterAll, unhandled. */
  readonly errors: string[];
  readonly tests: readonly TestReport[];
}

/** The result of one run of a suite. */
export interface RunReport {
  readonly files: readonly FileReport[];
  /** Errors that belong to no file. */
  readonly errors: readonly string[];
}

/** A failed test; without `test`, a failed file; without `file`, a failed run. */
export interface Failure {
  readonly file?: string;
  readonly test?: string;
  readonly message: string;
}

/** A failure in only one of two runs. */
interface Unstable extends Failure {
  readonly failedIn: 'first' | 'second';
}

/** The result of a suite whose failed files ran twice. */
export interface Outcome {
  /** The number of tests that passed in at least one run. */
  readonly passed: number;
  readonly failures: readonly Failure[];
  readonly unstable: readonly Unstable[];
}

/** The files of a run that must run again: those with a failure, and those that did not finish. */
export function failedFiles({ files }: RunReport): string[] {
  return files.filter(isFailed).map(({ file }) => file);
}

function isFailed({ errors, tests }: FileReport): boolean {
  return errors.length > 0 || tests.length === 0 || tests.some(hasFailed);
}

/**
 * Combines a run with the second run of its failed files: a test that passes in one of the two counts as passed.
 *
 * @param second undefined if there was none, or it has no report.
 * @param failOnSkipped whether a skipped test counts as failed.
 */
export function combine(first: RunReport, second: RunReport | undefined, failOnSkipped: boolean): Outcome {
  const later = new Map(second?.files.map((report) => [report.file, report]));
  const outcomes = first.files.map((report) => combineFile(report, later.get(report.file), failOnSkipped));
  // A worker process that exits leaves files without a result; these explain an error of the first run.
  const errors = [...(failedFiles(first).length === 0 ? first.errors : []), ...(second?.errors ?? [])];
  return {
    passed: outcomes.reduce((sum, { passed }) => sum + passed, 0),
    failures: [...outcomes.flatMap(({ failures }) => failures), ...errors.map((message) => ({ message }))],
    unstable: outcomes.flatMap(({ unstable }) => unstable),
  };
}

function combineFile(first: FileReport, second: FileReport | undefined, failOnSkipped: boolean): Outcome {
  const { file } = first;
  let passed = 0;
  const failures: Failure[] = [];
  const unstable: Unstable[] = [];
  const [earlier, later] = [byOccurrence(first.tests), byOccurrence(second?.tests ?? [])];
  for (const key of new Set([...earlier.keys(), ...later.keys()])) {
    const [one, two] = [earlier.get(key), later.get(key)];
    const test = (one ?? two)?.name as string;
    if (one?.state === 'passed' || two?.state === 'passed') {
      passed += 1;
      if (hasFailed(one)) unstable.push({ file, test, message: messageOf(one), failedIn: 'first' });
      if (hasFailed(two)) unstable.push({ file, test, message: messageOf(two), failedIn: 'second' });
    } else if (hasFailed(one) || hasFailed(two)) {
      failures.push({ file, test, message: messageOf(hasFailed(two) ? two : one) });
    } else if (failOnSkipped) {
      failures.push({ file, test, message: 'it was skipped' });
    }
  }
  const last = second ?? first;
  if (last.errors.length > 0 || last.tests.length === 0) {
    failures.push({ file, message: last.errors[0] ?? 'none of its tests ran' });
  } else if (first.errors.length > 0 || first.tests.length === 0) {
    unstable.push({ file, message: first.errors[0] ?? 'none of its tests ran', failedIn: 'first' });
  }
  return { passed, failures, unstable };
}

function hasFailed(test: TestReport | undefined): boolean {
  return test?.state === 'failed' || test?.state === 'pending';
}

function messageOf(test: TestReport | undefined): string {
  return test?.message || 'it did not end';
}

/** Tests by name; tests with the same name are numbered in order. */
function byOccurrence(tests: readonly TestReport[]): Map<string, TestReport> {
  const counts = new Map<string, number>();
  return new Map(
    tests.map((test) => {
      const count = (counts.get(test.name) ?? 0) + 1;
      counts.set(test.name, count);
      return [`${test.name} #${count}`, test];
    }),
  );
}
