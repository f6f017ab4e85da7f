import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { Hono } from 'hono';
import { beforeAll, expect, it } from 'vitest';
import type { RequestEnv } from '../../../src/http/request/request-env.ts';
import { createStaticResponse } from '../../../src/http/response/static-response.ts';

const CONTENT = 'A sentence that is repeated. '.repeat(100);
const app = new Hono<RequestEnv>();
const get = (headers: Record<string, string>) => app.request('/', { headers });

beforeAll(async () => {
  app.get('/', await createStaticResponse(CONTENT, { 'Content-Type': 'text/plain' }));
});

it.each([
  ['gzip, deflate, br', 'br'],
  ['gzip;q=1.0, br;q=0', 'gzip'],
  ['GZIP', 'gzip'],
  ['identity', null],
  ['', null],
])('responds to “Accept-Encoding: %s” with %s', async (accepted, encoding) => {
  const response = await get(accepted ? { 'Accept-Encoding': accepted } : {});
  const bytes = Buffer.from(await response.arrayBuffer());
  const decode = { br: brotliDecompressSync, gzip: gunzipSync }[encoding ?? ''] ?? ((plain: Buffer) => plain);
  expect(response.headers.get('content-encoding')).toBe(encoding);
  expect(response.headers.get('vary')).toBe('Accept-Encoding');
  expect(decode(bytes).toString()).toBe(CONTENT);
});

it('responds with 304 to a client that has the content in this encoding', async () => {
  const etag = (await get({ 'Accept-Encoding': 'br' })).headers.get('etag') ?? '';
  const again = await get({ 'Accept-Encoding': 'br', 'If-None-Match': `"other", W/${etag}` });
  expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag]);
  expect((await get({ 'Accept-Encoding': 'gzip', 'If-None-Match': etag })).status).toBe(200);
});
