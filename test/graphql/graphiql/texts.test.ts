import { describe, expect, it } from 'vitest';
import type { Preflight } from '../../../src/graphql/graphiql/browser/api.ts';
import type { PreflightState } from '../../../src/graphql/graphiql/browser/live-preflight.ts';
import { barEntries, descriptionOf, exhaustedText, refusalText } from '../../../src/graphql/graphiql/browser/texts.ts';

const PREFLIGHT: Preflight = {
  cost: 3,
  scopes: { needed: ['members.view', 'tags.view'], missing: [] },
  maxRecords: 22,
  refusals: [],
  rest: null,
  rateLimit: { limit: 120, remaining: 5 },
};
const state = (preflight: Partial<Preflight>, others: Partial<PreflightState> = {}): PreflightState => ({
  preflight: { ...PREFLIGHT, ...preflight },
  problem: undefined,
  rateLimit: PREFLIGHT.rateLimit,
  exhausted: undefined,
  ...others,
});
const lines = (one: PreflightState) =>
  barEntries(one).map(({ name, value, isProblem }) => `${isProblem ? '! ' : ''}${name}: ${value}`);

describe('the bar', () => {
  it('shows cost, scopes, records and points', () => {
    expect(lines(state({}))).toEqual([
      'Cost: 3 points',
      'Scopes: members.view, tags.view',
      'Records: at most 22',
      'Budget: 5 of 120 points left',
    ]);
  });

  it('shows the scopes that the key lacks', () => {
    const scopes = { needed: ['members.view', 'tags.view'], missing: ['tags.view'] };
    expect(lines(state({ scopes }))).toContain('! Missing: tags.view');
  });

  it('marks an operation that exceeds the remaining points', () => {
    const rateLimit = { limit: 120, remaining: 2 };
    expect(lines(state({}, { rateLimit }))).toContain('! Budget: 2 of 120 points left');
  });

  it('shows an operation of one point without scopes and records', () => {
    const entries = lines(state({ cost: 1, scopes: { needed: [], missing: [] }, maxRecords: null }));
    expect(entries.slice(0, 3)).toEqual(['Cost: 1 point', 'Scopes: none', 'Records: unknown']);
  });

  it('is empty before the first response', () => {
    expect(lines({ ...state({}), preflight: undefined })).toEqual([]);
  });
});

describe('an error', () => {
  it('is shown with its code and message, and the number of other errors', () => {
    const refusals = [{ message: 'No field', extensions: { code: 'invalid_request' } }, { message: 'Other' }];
    expect(refusalText(state({ refusals }))).toBe('invalid_request: No field (and 1 more)');
    expect(refusalText(state({}))).toBeUndefined();
  });

  it('states that preflights have a separate rate limit', () => {
    const problem = { code: 'rate_limited', message: 'Used up' };
    expect(refusalText(state({}, { problem }))).toBe('rate_limited: Used up (for checks while typing)');
  });
});

it.each([
  [41_500, 'rate_limited: Used up. Try again in 42 seconds.'],
  [1_000, 'rate_limited: Used up. Try again in 1 second.'],
  [0, 'You can try again now.'],
])('counts down, %i ms before the rate limit resets', (milliseconds, expected) => {
  const exhausted = { code: 'rate_limited', message: 'Used up', until: 1_000_000 };
  expect(exhaustedText(exhausted, 1_000_000 - milliseconds)).toBe(expected);
});

it('describes an example by its leading comments', () => {
  expect(descriptionOf('# A\n# page.\n# Costs 1 point.\nquery A {\n  # not this\n  a\n}')).toBe(
    'A page.\nCosts 1 point.',
  );
  expect(descriptionOf('query A { a }')).toBe('');
});
