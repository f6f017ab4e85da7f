import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createSendRequest } from '../../../../src/graphql/http/graphiql/browser/api.ts';

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

it('sends no request without a key', async () => {
  const { result } = await createSendRequest('')({ query: '{ a }' });
  expect(result.errors?.[0]?.extensions?.code).toBe('missing_api_key');
  expect(fetched).not.toHaveBeenCalled();
});
