import { describe, expect, it } from 'vitest';
import { combine, type FileReport, failedFiles, type RunReport, type TestReport } from './report.ts';

const test = (name: string, state: TestReport['state'], message = ''): TestReport => ({ name, state, message });
const file = (name: string, tests: TestReport[], errors: string[] = []): FileReport => ({ file: name, errors, tests });
const run = (...files: FileReport[]): RunReport => ({ files, errors: [] });

const GOOD = file('good', [test('is', 'passed')]);

describe('failedFiles', () => {
  it.each([
    ['a failed test', file('bad', [test('is', 'failed')])],
    ['an unfinished test', file('bad', [test('is', 'pending')])],
    ['an error outside of its tests', file('bad', [test('is', 'passed')], ['afterAll'])],
    ['no result', file('bad', [])],
  ])('returns a file with %s', (_, bad) => {
    expect(failedFiles(run(GOOD, bad))).toEqual(['bad']);
  });

  it('returns no file whose tests passed or were skipped', () => {
    expect(failedFiles(run(GOOD, file('skips', [test('is', 'skipped')])))).toEqual([]);
  });
});

describe('combine', () => {
  const outcome = (one: RunReport, two?: RunReport, failOnSkipped = true) => combine(one, two, failOnSkipped);

  it('counts tests that pass on the second run as passed, and reports the first failure', () => {
    const one = run(GOOD, file('bad', [test('a', 'passed'), test('b', 'failed', 'too late')]));
    expect(outcome(one, run(file('bad', [test('a', 'passed'), test('b', 'passed')])))).toEqual({
      passed: 3,
      failures: [],
      unstable: [{ file: 'bad', test: 'b', message: 'too late', failedIn: 'first' }],
    });
  });

  it('counts tests that fail twice as failed, with the message of the second failure', () => {
    const one = run(GOOD, file('bad', [test('a', 'passed'), test('b', 'failed', 'one')]));
    expect(outcome(one, run(file('bad', [test('a', 'passed'), test('b', 'failed', 'two')])))).toEqual({
      passed: 2,
      failures: [{ file: 'bad', test: 'b', message: 'two' }],
      unstable: [],
    });
  });

  it('reports tests that fail only on the second run', () => {
    const one = run(file('bad', [test('a', 'passed'), test('b', 'failed', 'one')]));
    expect(outcome(one, run(file('bad', [test('a', 'failed', 'two'), test('b', 'passed')])))).toEqual({
      passed: 2,
      failures: [],
      unstable: [
        { file: 'bad', test: 'a', message: 'two', failedIn: 'second' },
        { file: 'bad', test: 'b', message: 'one', failedIn: 'first' },
      ],
    });
  });

  it('counts failures as failed if there is no second run', () => {
    const one = run(GOOD, file('bad', [test('b', 'failed', 'one')]), file('lost', []));
    expect(outcome(one)).toEqual({
      passed: 1,
      failures: [
        { file: 'bad', test: 'b', message: 'one' },
        { file: 'lost', message: 'none of its tests ran' },
      ],
      unstable: [],
    });
  });

  it('counts tests skipped by a failed beforeAll by the second run', () => {
    const one = run(file('bad', [test('a', 'skipped'), test('b', 'skipped')], ['beforeAll']));
    expect(outcome(one, run(file('bad', [test('a', 'passed'), test('b', 'passed')])))).toEqual({
      passed: 2,
      failures: [],
      unstable: [{ file: 'bad', message: 'beforeAll', failedIn: 'first' }],
    });
    expect(outcome(one, one).failures).toEqual([
      { file: 'bad', test: 'a', message: 'it was skipped' },
      { file: 'bad', test: 'b', message: 'it was skipped' },
      { file: 'bad', message: 'beforeAll' },
    ]);
  });

  it('counts an error outside of tests on the second run as failed', () => {
    const one = run(file('bad', [test('b', 'failed', 'one')]));
    const { failures } = outcome(one, run(file('bad', [test('b', 'passed')], ['unhandled'])));
    expect(failures).toEqual([{ file: 'bad', message: 'unhandled' }]);
  });

  it('counts the tests of a file that did not load on the first run', () => {
    const { passed, failures } = outcome(run(file('bad', [], ['import'])), run(file('bad', [test('a', 'passed')])));
    expect({ passed, failures }).toEqual({ passed: 1, failures: [] });
  });

  it('counts a skipped test as failed only if that is requested', () => {
    const one = run(GOOD, file('skips', [test('a', 'skipped')]));
    expect(outcome(one).failures).toEqual([{ file: 'skips', test: 'a', message: 'it was skipped' }]);
    expect(outcome(one, undefined, false)).toEqual({ passed: 1, failures: [], unstable: [] });
  });

  it('distinguishes tests of the same name by their order', () => {
    const one = run(file('bad', [test('a', 'passed'), test('a', 'failed', 'one')]));
    expect(outcome(one, run(file('bad', [test('a', 'passed'), test('a', 'failed', 'two')])))).toMatchObject({
      passed: 1,
      failures: [{ message: 'two' }],
    });
  });

  it('counts an error of the run as failed, unless files without a result explain it', () => {
    const exited: RunReport = { ...run(GOOD), errors: ['a worker exited'] };
    expect(outcome(exited).failures).toEqual([{ message: 'a worker exited' }]);
    const lost: RunReport = { files: [GOOD, file('lost', [])], errors: ['a worker exited'] };
    expect(outcome(lost, run(file('lost', [test('a', 'passed')])))).toMatchObject({ passed: 2, failures: [] });
  });
});
