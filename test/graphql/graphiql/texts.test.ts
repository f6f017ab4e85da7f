import { describe, expect, it } from 'vitest';
import type { Explanation } from '../../../src/graphql/graphiql/browser/api.ts';
import type { ExplainState } from '../../../src/graphql/graphiql/browser/live-explain.ts';
import {
  type BarEntry,
  barEntries,
  exhaustedText,
  problemText,
  runEntries,
} from '../../../src/graphql/graphiql/browser/texts.ts';

const EXPLANATION: Explanation = {
  cost: 3,
  scopes: { needed: ['members.view', 'tags.view'], missing: [] },
  records: 'at most 2 members, plus their tags',
  rest: { requests: [], notExpressed: [] },
};
const state = (explanation: Partial<Explanation>, others: Partial<ExplainState> = {}): ExplainState => ({
  explanation: { ...EXPLANATION, ...explanation },
  problem: undefined,
  rateLimit: { limit: 120, remaining: 5, cost: 1 },
  exhausted: undefined,
  runs: new Map(),
  ...others,
});
const toLines = (entries: readonly BarEntry[]) =>
  entries.map(({ name, value, isProblem }) => `${isProblem ? '! ' : ''}${name}: ${value}`);
const lines = (one: ExplainState) => toLines(barEntries(one));

describe('the bar', () => {
  it('shows cost, scopes, records and points', () => {
    expect(lines(state({}))).toEqual([
      'Cost: 3 points',
      'Scopes: members.view, tags.view',
      'Records: at most 2 members, plus their tags',
      'Budget: 5 of 120 points left',
    ]);
  });

  it.each([
    ['the scopes that the key lacks', { scopes: { needed: [], missing: ['tags.view'] } }, '! Missing: tags.view'],
    ['one point', { cost: 1 }, 'Cost: 1 point'],
    ['that no scope is needed', { scopes: { needed: [], missing: [] } }, 'Scopes: none'],
  ] as [string, Partial<Explanation>, string][])('shows %s', (_, explanation, line) => {
    expect(lines(state(explanation))).toContain(line);
  });

  it('marks an operation that exceeds the remaining points', () => {
    const rateLimit = { limit: 120, remaining: 2, cost: 1 };
    expect(lines(state({}, { rateLimit }))).toContain('! Budget: 2 of 120 points left');
  });

  it('is empty before the first response', () => {
    expect(lines({ ...state({}), explanation: undefined })).toEqual([]);
  });
});

describe('the bar below the response', () => {
  const rateLimit = { limit: 120, remaining: 5, cost: 2 };
  const errors = [{ message: 'Not found' }];
  it.each([
    [
      'a run',
      { status: 200, result: { extensions: { rateLimit } } },
      ['Status: 200', 'Time: 1,235 ms', 'Cost: 2 points'],
    ],
    ['a failed one', { status: 503, result: { errors } }, ['! Status: 503, 1 error', 'Time: 1,235 ms']],
    ['one that was not sent', { result: { errors } }, []],
  ])('shows status, time and cost of %s', (_, response, expected) => {
    expect(toLines(runEntries({ ...response, waitSeconds: 0, milliseconds: 1_234.5 }))).toEqual(expected);
  });
});

it('shows a problem with its code and message', () => {
  const problem = { code: 'invalid_request', message: 'No field' };
  expect(problemText(state({}, { problem }))).toBe('invalid_request: No field');
  expect(problemText(state({}))).toBeUndefined();
});

it.each([
  [41_500, 'rate_limited: Used up. Try again in 42 seconds.'],
  [1_000, 'rate_limited: Used up. Try again in 1 second.'],
  [0, 'You can try again now.'],
])('counts down, %i ms before the rate limit resets', (milliseconds, expected) => {
  const exhausted = { code: 'rate_limited', message: 'Used up; try again in 9 seconds', until: 1_000_000 };
  expect(exhaustedText(exhausted, 1_000_000 - milliseconds)).toBe(expected);
});
