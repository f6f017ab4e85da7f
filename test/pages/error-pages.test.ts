import { expect, it } from 'vitest';
import { createStartingApp } from '../../src/server/starting-app.ts';
import { answerOf } from '../support/client.ts';
import { onOneStore } from '../support/service.ts';

/** The headers that browsers send for page loads. */
const BROWSER = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

onOneStore((service) => {
  const open = async (path: string, headers: Record<string, string>) =>
    answerOf(await service.app.fetch(new Request(`http://service.test${path}`, { headers })));

  it('returns an HTML page to a browser without a key', async () => {
    const [page, json] = [await open('/v1/members', BROWSER), await open('/v1/members', {})];
    expect([page.status, page.headers.get('content-type')]).toEqual([json.status, 'text/html; charset=UTF-8']);
    expect(page.text).toContain('<h1>An API key is needed</h1>');
    expect(page.headers.get('vary')).toBe('Accept');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(page.headers.has('x-ratelimit-limit')).toBe(true);
    expect(json.headers.get('content-type')).toBe('application/json');
  });

  it.each(['/v1/members', '/nowhere'])('returns the same status and headers to a browser for HEAD %s', async (path) => {
    const request = (method: string) => new Request(`http://service.test${path}`, { method, headers: BROWSER });
    const [get, head] = [await service.app.fetch(request('GET')), await service.app.fetch(request('HEAD'))];
    const shown = ({ status, headers }: Response) => [status, headers.get('content-type'), headers.get('vary')];
    expect([shown(head), await head.text()]).toEqual([shown(get), '']);
  });

  it('returns JSON for requests with a key, whatever they accept', async () => {
    const { key } = await service.organization();
    const missing = await open('/v1/members/mem_unknown', { 'X-Api-Key': key, ...BROWSER });
    expect(missing.json.error).toEqual({ code: 'not_found', message: expect.stringMatching(/^Member not found/) });
    expect((await open('/v1/members', { 'X-Api-Key': 'wrong', ...BROWSER })).json.error.code).toBe('invalid_api_key');
  });

  it('returns an HTML page to a browser for an unknown path outside of the APIs, without a key', async () => {
    const page = await open('/nowhere', BROWSER);
    expect([page.status, page.headers.get('vary')]).toEqual([404, 'Accept']);
    expect(page.text).toContain('<h1>Not found</h1>');
    expect(page.text).not.toContain('Did you mean');
    expect((await open('/nowhere', {})).json.error.code).toBe('missing_api_key');
  });

  it('names on that page the path of an API that was probably meant', async () => {
    expect((await open('/members', BROWSER)).text).toContain('Did you mean <code>/v1/members</code>?');
    expect((await open('/api/GraphQL', BROWSER)).text).toContain('Did you mean <code>/graphql</code>?');
    expect((await open('/v3/%3Cscript%3E', BROWSER)).text).not.toMatch(/Did you mean|<script>/);
  });

  it.each([
    '*/*',
    'application/json',
    'application/json, text/plain, */*',
    'text/html;q=0.5, application/json',
    // HttpURLConnection of Java.
    'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2',
  ])('returns JSON to clients that accept %s', async (accept) => {
    expect((await open('/v1/members', { Accept: accept })).json.error.code).toBe('missing_api_key');
  });

  it('has an icon', async () => {
    const icon = await open('/favicon.ico', {});
    expect([icon.status, icon.headers.get('content-type')]).toEqual([200, 'image/svg+xml; charset=utf-8']);
    expect(icon.text).toContain('<svg');
  });

  it.each(['br', 'gzip'])('compresses the OpenAPI document with %s, and revalidates it by ETag', async (encoding) => {
    const plain = await open('/openapi.json', {});
    expect(plain.headers.has('content-encoding')).toBe(false);
    const packed = await service.app.fetch(
      new Request('http://service.test/openapi.json', { headers: { 'Accept-Encoding': `deflate, ${encoding};q=1.0` } }),
    );
    expect(packed.headers.get('content-encoding')).toBe(encoding);
    expect(packed.headers.get('vary')).toBe('Accept-Encoding');
    expect((await packed.arrayBuffer()).byteLength).toBeLessThan(plain.text.length / 5);
    const etag = packed.headers.get('etag') ?? '';
    const again = await open('/openapi.json', { 'Accept-Encoding': encoding, 'If-None-Match': etag });
    expect([again.status, again.text]).toEqual([304, '']);
    // The ETag of another encoding, or of other content.
    for (const other of [etag, '"other"']) {
      expect((await open('/openapi.json', { 'If-None-Match': other })).text).toBe(plain.text);
    }
  });

  it('returns a self-reloading page to browsers while the service starts, and JSON to clients', async () => {
    const starting = createStartingApp(120);
    const get = async (path: string, headers: Record<string, string>) =>
      answerOf(await starting.fetch(new Request(`http://service.test${path}`, { headers })));
    const page = await get('/developer', BROWSER);
    expect([page.status, page.headers.get('retry-after'), page.headers.get('refresh')]).toEqual([503, '1', '2']);
    const [, stylesheet = ''] = /href="(\/assets\/[^"]+\.css)"/.exec(page.text) ?? [];
    expect((await get(stylesheet, {})).status).toBe(200);
    expect((await get('/v1/members', {})).json.error.code).toBe('unavailable');
    expect((await get('/graphql', {})).json.errors[0].extensions.code).toBe('unavailable');
    expect((await get('/readyz', {})).status).toBe(503);
  });
});
