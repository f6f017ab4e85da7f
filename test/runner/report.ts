/** What became of a test. A test that never ended is pending. */
export interface TestReport {
  /** Its title after those of the groups around it. */
  readonly name: string;
  readonly state: 'passed' | 'failed' | 'skipped' | 'pending';
  /** Why it failed; empty for others. */
  readonly message: string;
}

/** What became of a file of tests. */
export interface FileReport {
  readonly file: string;
  /** Errors outside of its tests: on import, in beforeAll and afterAll, unhandled. */
  readonly errors: string[];
  readonly tests: readonly TestReport[];
}

/** What became of a run. */
export interface RunReport {
  readonly files: readonly FileReport[];
  /** Errors that belong to no file. */
  readonly errors: readonly string[];
}

/** A test, or a file (no `test`), or a whole run (neither), that failed. */
export interface Failure {
  readonly file?: string;
  readonly test?: string;
  readonly message: string;
}

/** What failed in one of two runs only, with the message of that failure. */
interface Unstable extends Failure {
  readonly failedIn: 'first' | 'second';
}

/** What became of a suite whose failed files ran twice. */
export interface Outcome {
  /** How many tests passed in one of the two runs. */
  readonly passed: number;
  readonly failures: readonly Failure[];
  readonly unstable: readonly Unstable[];
}

/** The files of a run that have to run again: those with a failure, and those that did not come to their end. */
export function failedFiles({ files }: RunReport): string[] {
  return files.filter(isFailed).map(({ file }) => file);
}

function isFailed({ errors, tests }: FileReport): boolean {
  return errors.length > 0 || tests.length === 0 || tests.some(hasFailed);
}

/**
 * Combines a run with the second run of its failed files: what passes in one of the two counts as passed.
 *
 * @param second undefined if there was none, or it broke off.
 * @param skippedFail whether a test that is skipped counts as failed.
 */
export function combine(first: RunReport, second: RunReport | undefined, skippedFail: boolean): Outcome {
  const later = new Map(second?.files.map((report) => [report.file, report]));
  const outcomes = first.files.map((report) => combineFile(report, later.get(report.file), skippedFail));
  // An error of the first run is explained by files without a result, as when a worker process has exited.
  const errors = [...(failedFiles(first).length === 0 ? first.errors : []), ...(second?.errors ?? [])];
  return {
    passed: outcomes.reduce((sum, { passed }) => sum + passed, 0),
    failures: [...outcomes.flatMap(({ failures }) => failures), ...errors.map((message) => ({ message }))],
    unstable: outcomes.flatMap(({ unstable }) => unstable),
  };
}

function combineFile(first: FileReport, second: FileReport | undefined, skippedFail: boolean): Outcome {
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
    } else if (skippedFail) {
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

/** Tests by name; of several with the same name, by their order. */
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
