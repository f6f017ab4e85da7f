import { expect, it } from 'vitest';
import { formatOutcomes } from './format-outcomes.ts';

const at = { file: '/root/test/a.test.ts', test: 'answers' };

it('prints failures with file, test and message on one line, and the counts on the last line', () => {
  const lines = formatOutcomes(
    [
      { passed: 2, failures: [{ ...at, message: 'expected 1\n  to be 2' }], unstable: [] },
      { passed: 3, failures: [{ message: 'no test ran' }], unstable: [] },
    ],
    '/root',
  );
  expect(lines).toEqual([
    'failed: test/a.test.ts > answers (expected 1 to be 2)',
    'failed: the run (no test ran)',
    '5 passed, 2 failed',
  ]);
});

it('prints tests that failed once before those that failed twice, without counting them as failed', () => {
  const unstable = [
    { ...at, message: '\u001b[31mtimed out\u001b[39m', failedIn: 'first' as const },
    { file: at.file, message: 'closed', failedIn: 'second' as const },
  ];
  expect(formatOutcomes([{ passed: 1, failures: [], unstable }], '/root')).toEqual([
    'passed on the second run: test/a.test.ts > answers (first failure: timed out)',
    'failed on the second run only: test/a.test.ts (closed)',
    '1 passed, 0 failed',
  ]);
});

it('prints at most 200 failures, and truncates long messages', () => {
  const failures = Array.from({ length: 250 }, () => ({ ...at, message: 'x'.repeat(1_000) }));
  const lines = formatOutcomes([{ passed: 0, failures, unstable: [] }], '/root');
  expect(lines).toHaveLength(202);
  expect(lines[0]).toBe(`failed: test/a.test.ts > answers (${'x'.repeat(500)}…)`);
  expect(lines.slice(-2)).toEqual(['and 50 more', '0 passed, 250 failed']);
});
