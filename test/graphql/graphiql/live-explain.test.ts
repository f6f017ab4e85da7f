import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { ApiRequest, ApiResponse, Explanation } from '../../../src/graphql/graphiql/browser/api.ts';
import { DEBOUNCE_MS, KEY_CHECK, LiveExplain } from '../../../src/graphql/graphiql/browser/live-explain.ts';

const answer = (cost: number): ApiResponse => {
  const rateLimit = { limit: 120, remaining: 100, cost: 1 };
  const rest = { requests: [], notExpressed: [] };
  const explain: Explanation = { cost, scopes: { needed: [], missing: [] }, records: 'at most 1 tag', rest };
  return { result: { extensions: { explain, rateLimit } }, waitSeconds: 0 };
};
const refusal = (code: string, waitSeconds = 0): ApiResponse => ({
  result: { errors: [{ message: 'Refused', extensions: { code } }] },
  waitSeconds,
});

let sent: ApiRequest[];
let respond: (request: ApiRequest) => Promise<ApiResponse>;
let live: LiveExplain;
beforeEach(() => {
  vi.useFakeTimers();
  sent = [];
  respond = async () => answer(sent.length);
  live = new LiveExplain((request) => {
    sent.push(request);
    return respond(request);
  });
});
afterEach(() => {
  vi.useRealTimers();
});
const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);
/** Explains an operation, and waits for the response, after a delay. */
const explain = (query: string, milliseconds = 0) => {
  live.explain({ query });
  return pass(milliseconds);
};

it('explains the first operation immediately, and later ones after a delay', async () => {
  live.explain({ query: '{ a }', headers: { 'Idempotency-Key': '1' } });
  await pass(0);
  expect(sent).toEqual([{ query: '{ a }', headers: { 'Idempotency-Key': '1', Explain: 'true' } }]);
  expect(live.state()).toMatchObject({ explanation: { cost: 1 }, rateLimit: { remaining: 100 } });
  for (const query of ['{ b', '{ b }', '{ b c }']) await explain(query, DEBOUNCE_MS - 1);
  expect(sent).toHaveLength(1);
  await pass(1);
  expect(sent.map(({ query }) => query)).toEqual(['{ a }', '{ b c }']);
});

it('shows no result for an empty editor, only the rate limit, and explains the first operation after it immediately', async () => {
  await explain(KEY_CHECK, DEBOUNCE_MS);
  expect(live.state()).toMatchObject({ explanation: undefined, rateLimit: { remaining: 100 } });
  await explain('{ a }');
  expect(live.state()).toMatchObject({ explanation: { cost: 2 } });
});

it('does not explain the same operation again', async () => {
  for (let n = 0; n < 3; n++) await explain('{ a }', DEBOUNCE_MS);
  expect(sent).toHaveLength(1);
});

it('ignores a response that arrives after that of a later operation', async () => {
  const answers: ((response: ApiResponse) => void)[] = [];
  respond = () => new Promise((resolve) => answers.push(resolve));
  await explain('{ a }');
  await explain('{ b }', DEBOUNCE_MS);
  answers[1]?.(answer(2));
  await pass(0);
  answers[0]?.(answer(1));
  await pass(0);
  expect(live.state().explanation?.cost).toBe(2);
});

it('keeps the last result beside an error, and explains again after the retry delay', async () => {
  await explain('{ a }');
  respond = async () => refusal('rate_limited', 7);
  await explain('{ b }', DEBOUNCE_MS);
  expect(live.state()).toMatchObject({ explanation: { cost: 1 }, problem: { code: 'rate_limited' } });
  respond = async () => answer(9);
  await pass(7_000);
  expect(live.state()).toMatchObject({ explanation: { cost: 9 }, problem: undefined });
});

it('explains an operation again after its variables were rejected', async () => {
  await explain('{ a }');
  live.reject('The variables are no JSON');
  expect(live.state().problem).toEqual({ code: 'invalid_request', message: 'The variables are no JSON' });
  await explain('{ a }', DEBOUNCE_MS);
  expect([sent.length, live.state().problem]).toEqual([2, undefined]);
});

it('shows how long to wait after a run that exceeded the rate limit, until the next response', async () => {
  const changes = vi.fn();
  live.subscribe(changes);
  vi.setSystemTime(1_000);
  respond = async () => refusal('rate_limited', 42);
  await live.run('1', { query: '{ a }' });
  expect(live.state().exhausted).toEqual({ code: 'rate_limited', message: 'Refused', until: 43_000 });
  respond = async () => answer(1);
  await live.run('2', { query: '{ a }' });
  expect(live.state()).toMatchObject({ exhausted: undefined, rateLimit: { remaining: 100 } });
  expect(changes).toHaveBeenCalledTimes(2);
});

it('keeps the last run of each tab, with its duration', async () => {
  respond = async () => {
    vi.advanceTimersByTime(sent.length * 10);
    return answer(1);
  };
  for (const tab of ['1', '2', '1']) await live.run(tab, { query: '{ a }' });
  expect([...live.state().runs].map(([tab, { milliseconds }]) => [tab, milliseconds])).toEqual([
    ['2', 20],
    ['1', 30],
  ]);
});

it('keeps no earlier run of a tab whose last operation had no response', async () => {
  for (const tab of ['1', '2']) await live.run(tab, { query: '{ a }' });
  respond = () => Promise.reject(new TypeError('Failed to fetch'));
  await expect(live.run('1', { query: '{ b }' })).rejects.toThrow('Failed to fetch');
  expect([...live.state().runs.keys()]).toEqual(['2']);
});
