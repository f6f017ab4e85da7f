import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { ApiRequest, ApiResponse, Preflight } from '../../../src/graphql/graphiql/browser/api.ts';
import { DEBOUNCE_MS, KEY_CHECK, LivePreflight } from '../../../src/graphql/graphiql/browser/live-preflight.ts';

const answer = (cost: number): ApiResponse => {
  const rateLimit = { limit: 120, remaining: 100 };
  const preflight: Preflight = {
    cost,
    scopes: { needed: [], missing: [] },
    maxRecords: 1,
    refusals: [],
    rest: null,
    rateLimit,
  };
  return { result: { extensions: { preflight } }, waitSeconds: 0 };
};
const refusal = (code: string, waitSeconds = 0): ApiResponse => ({
  result: { errors: [{ message: 'Refused', extensions: { code } }] },
  waitSeconds,
});

let sent: ApiRequest[];
let respond: (request: ApiRequest) => Promise<ApiResponse>;
let live: LivePreflight;
beforeEach(() => {
  vi.useFakeTimers();
  sent = [];
  respond = async () => answer(sent.length);
  live = new LivePreflight((request) => {
    sent.push(request);
    return respond(request);
  });
});
afterEach(() => {
  vi.useRealTimers();
});
const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);

it('checks the first operation immediately, and later ones after a delay', async () => {
  live.check({ query: '{ a }', headers: { 'Idempotency-Key': '1' } });
  await pass(0);
  expect(sent).toEqual([{ query: '{ a }', headers: { 'Idempotency-Key': '1', Preflight: 'true' } }]);
  expect(live.state()).toMatchObject({ preflight: { cost: 1 }, rateLimit: { remaining: 100 } });
  for (const query of ['{ b', '{ b }', '{ b c }']) {
    live.check({ query });
    await pass(DEBOUNCE_MS - 1);
  }
  expect(sent).toHaveLength(1);
  await pass(1);
  expect(sent.map(({ query }) => query)).toEqual(['{ a }', '{ b c }']);
});

it('shows no result for an empty editor, only the rate limit, and checks the first operation after it immediately', async () => {
  live.check({ query: KEY_CHECK });
  await pass(0);
  expect(live.state()).toMatchObject({ preflight: undefined, rateLimit: { remaining: 100 } });
  live.check({ query: '{ a }' });
  await pass(0);
  expect(live.state()).toMatchObject({ preflight: { cost: 2 } });
});

it('does not check the same operation again', async () => {
  for (let n = 0; n < 3; n++) {
    live.check({ query: '{ a }' });
    await pass(DEBOUNCE_MS);
  }
  expect(sent).toHaveLength(1);
});

it('ignores a response that arrives after that of a later operation', async () => {
  const answers: ((response: ApiResponse) => void)[] = [];
  respond = () => new Promise((resolve) => answers.push(resolve));
  live.check({ query: '{ a }' });
  await pass(0);
  live.check({ query: '{ b }' });
  await pass(DEBOUNCE_MS);
  answers[1]?.(answer(2));
  await pass(0);
  answers[0]?.(answer(1));
  await pass(0);
  expect(live.state().preflight?.cost).toBe(2);
});

it('keeps the last result beside an error, and checks again after the retry delay', async () => {
  live.check({ query: '{ a }' });
  await pass(0);
  respond = async () => refusal('rate_limited', 7);
  live.check({ query: '{ b }' });
  await pass(DEBOUNCE_MS);
  expect(live.state()).toMatchObject({ preflight: { cost: 1 }, problem: { code: 'rate_limited' } });
  respond = async () => answer(9);
  await pass(7_000);
  expect(live.state()).toMatchObject({ preflight: { cost: 9 }, problem: undefined });
});

it('shows `unavailable` if there is no response', async () => {
  respond = () => Promise.reject(new TypeError('fetch failed'));
  live.check({ query: '{ a }' });
  await pass(0);
  expect(live.state().problem?.code).toBe('unavailable');
});

it('ignores a response that arrives after the operation was rejected', async () => {
  let arrive = (_response: ApiResponse): void => {};
  respond = () => new Promise((resolve) => (arrive = resolve));
  live.check({ query: '{ a }' });
  await pass(0);
  live.reject('The variables are no JSON');
  arrive(answer(1));
  await pass(0);
  expect(live.state().problem?.message).toBe('The variables are no JSON');
});

it('checks an operation again after its variables were rejected', async () => {
  live.check({ query: '{ a }' });
  await pass(0);
  live.reject('The variables are no JSON');
  expect(live.state().problem).toEqual({ code: 'invalid_request', message: 'The variables are no JSON' });
  live.check({ query: '{ a }' });
  await pass(DEBOUNCE_MS);
  expect([sent.length, live.state().problem]).toEqual([2, undefined]);
});

it('shows how long an executed operation has to wait, until the next response', () => {
  const changes = vi.fn();
  live.subscribe(changes);
  live.updateRateLimit(refusal('rate_limited', 42), 1_000);
  expect(live.state().exhausted).toEqual({ code: 'rate_limited', message: 'Refused', until: 43_000 });
  live.updateRateLimit({ result: { extensions: { rateLimit: { limit: 9, remaining: 8 } } }, waitSeconds: 0 }, 2_000);
  expect(live.state()).toMatchObject({ exhausted: undefined, rateLimit: { remaining: 8 } });
  expect(changes).toHaveBeenCalledTimes(2);
});
