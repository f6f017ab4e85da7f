import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { Failure, Outcome } from './report.ts';

/** The maximum number of failures that are printed. */
const MAX_FAILURES = 200;
const MAX_MESSAGE_CHARACTERS = 500;

/**
 * Formats the failures of several suites, one per line. The last line has the number of tests that passed and failed.
 *
 * @param root the folder to which file names are relative.
 */
export function formatOutcomes(outcomes: readonly Outcome[], root: string): string[] {
  const failures = outcomes.flatMap(({ failures }) => failures);
  const unstable = outcomes.flatMap(({ unstable }) => unstable);
  const passed = outcomes.reduce((sum, outcome) => sum + outcome.passed, 0);
  const lines = [
    ...unstable.map((one) =>
      one.failedIn === 'first'
        ? `passed on the second run: ${locationOf(one, root)} (first failure: ${shorten(one.message)})`
        : `failed on the second run only: ${locationOf(one, root)} (${shorten(one.message)})`,
    ),
    ...failures.map((one) => `failed: ${locationOf(one, root)} (${shorten(one.message)})`),
  ];
  const left = lines.length - MAX_FAILURES;
  return [
    ...lines.slice(-MAX_FAILURES),
    ...(left > 0 ? [`and ${left} more`] : []),
    `${passed} passed, ${failures.length} failed`,
  ];
}

function locationOf({ file, test }: Failure, root: string): string {
  if (file === undefined) return 'the run';
  return test === undefined ? relative(root, file) : `${relative(root, file)} > ${test}`;
}

/** Formats a message as one line. */
function shorten(message: string): string {
  const line = stripVTControlCharacters(message).replaceAll(/\s+/g, ' ').trim();
  return line.length > MAX_MESSAGE_CHARACTERS ? `${line.slice(0, MAX_MESSAGE_CHARACTERS)}…` : line;
}
