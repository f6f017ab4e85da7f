import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { Failure, Outcome } from './report.ts';

/** How many failures are printed, and how long a message may be. */
const MAX_FAILURES = 200;
const MAX_MESSAGE = 500;

/**
 * The failures of several suites as lines, with the count of all as the last one.
 *
 * @param root the folder that file names are printed relative to.
 */
export function linesOf(outcomes: readonly Outcome[], root: string): string[] {
  const failures = outcomes.flatMap(({ failures }) => failures);
  const unstable = outcomes.flatMap(({ unstable }) => unstable);
  const passed = outcomes.reduce((sum, outcome) => sum + outcome.passed, 0);
  const lines = [
    ...unstable.map((one) =>
      one.failedIn === 'first'
        ? `passed on the second run: ${place(one, root)} (first failure: ${short(one.message)})`
        : `failed on the second run only: ${place(one, root)} (${short(one.message)})`,
    ),
    ...failures.map((one) => `failed: ${place(one, root)} (${short(one.message)})`),
  ];
  const left = lines.length - MAX_FAILURES;
  return [
    ...lines.slice(-MAX_FAILURES),
    ...(left > 0 ? [`and ${left} more`] : []),
    `${passed} passed, ${failures.length} failed`,
  ];
}

function place({ file, test }: Failure, root: string): string {
  if (file === undefined) return 'the run';
  return test === undefined ? relative(root, file) : `${relative(root, file)} > ${test}`;
}

/** A message in one line. */
function short(message: string): string {
  const line = stripVTControlCharacters(message).replaceAll(/\s+/g, ' ').trim();
  return line.length > MAX_MESSAGE ? `${line.slice(0, MAX_MESSAGE)}…` : line;
}
