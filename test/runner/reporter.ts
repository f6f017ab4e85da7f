import { writeFileSync } from 'node:fs';
import type { Reporter, SerializedError, TestModule, TestSpecification } from 'vitest/node';
import type { FileReport, RunReport } from './report.ts';

/** The environment variable that names the file to write. */
export const REPORT_FILE = 'TEST_REPORT_FILE';

/** A reporter of vitest that writes a {@link RunReport} as JSON. */
export default class RunReporter implements Reporter {
  #files: string[] = [];

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    this.#files = specifications.map(({ moduleId }) => moduleId);
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const files = new Map<string, FileReport>(this.#files.map((file) => [file, { file, errors: [], tests: [] }]));
    for (const module of modules) files.set(module.moduleId, reportOf(module));
    const errors: string[] = [];
    for (const error of unhandled) {
      const file = files.get(String(error.VITEST_TEST_PATH));
      (file?.errors ?? errors).push(`unhandled error: ${errorMessage(error)}`);
    }
    const report: RunReport = { files: [...files.values()], errors };
    writeFileSync(process.env[REPORT_FILE] as string, JSON.stringify(report));
  }
}

function reportOf(module: TestModule): FileReport & { errors: string[] } {
  const suites = [...module.children.allSuites()];
  const errors = [module, ...suites].flatMap((suite) => suite.errors().map(errorMessage));
  const tests = [...module.children.allTests()].map((test) => {
    const { state, errors } = test.result();
    return { name: test.fullName, state, message: errors?.map(errorMessage).join('\n') ?? '' };
  });
  return { file: module.moduleId, errors, tests };
}

function errorMessage({ message, stack }: Pick<SerializedError, 'message' | 'stack'>): string {
  return message || stack || 'an error without a message';
}
