import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createSendRequest } from '../../../src/graphql/graphiql/browser/api.ts';

const fetched = vi.fn(async (_url: string, _init: RequestInit) => new Response('{}'));

beforeEach(() => {
  vi.stubGlobal('fetch', fetched);
});
afterEach(() => {
  fetched.mockClear();
  vi.unstubAllGlobals();
});

it('sends headers of an operation instead of those of the page, whatever their case', async () => {
  await createSendRequest('cms_page')({ query: '{ a }', headers: { 'x-api-key': 'cms_other', ACCEPT: 'text/plain' } });
  const headers = new Headers(fetched.mock.calls[0]?.[1].headers);
  expect([headers.get('X-Api-Key'), headers.get('Accept')]).toEqual(['cms_other', 'text/plain']);
});

it.each([
  ['X-Api-Key', 'schlüssel ☃', {}, 'invalid_api_key'],
  ['Idempotency Key', 'cms_page', { 'Idempotency Key': 'seven' }, 'invalid_request'],
  ['Idempotency-Key', 'cms_page', { 'Idempotency-Key': '☃' }, 'invalid_request'],
])('reports the header %s if HTTP does not allow it, and sends no request', async (name, key, headers, code) => {
  const { result } = await createSendRequest(key)({ query: '{ a }', headers });
  expect(result.errors?.[0]).toMatchObject({ message: expect.stringContaining(name), extensions: { code } });
  expect(fetched).not.toHaveBeenCalled();
});

it('sends no request without a key', async () => {
  const { result } = await createSendRequest('')({ query: '{ a }' });
  expect(result.errors?.[0]?.extensions?.code).toBe('missing_api_key');
  expect(fetched).not.toHaveBeenCalled();
});

it('returns the results of a stream one after another, and cancels it when it is closed', async () => {
  const cancelled = vi.fn();
  const parts = [
    ':\n\nevent: next\nid: a\ndata: {"data":{"n":1}}\n',
    '\nevent: next\nid: b\ndata: {"data":{"n":2}}\n\n',
  ];
  const body = new ReadableStream({
    pull: (controller) => {
      const part = parts.shift();
      if (part) controller.enqueue(new TextEncoder().encode(part));
    },
    cancel: cancelled,
  });
  fetched.mockResolvedValueOnce(new Response(body, { headers: { 'Content-Type': 'text/event-stream' } }));
  const { results } = await createSendRequest('cms_page')({ query: 'subscription { n }' });
  expect(await results?.next()).toEqual({ done: false, value: { data: { n: 1 } } });
  expect(await results?.next()).toEqual({ done: false, value: { data: { n: 2 } } });
  const next = results?.next();
  await results?.return?.();
  expect((await next)?.done).toBe(true);
  expect(cancelled).toHaveBeenCalled();
});
