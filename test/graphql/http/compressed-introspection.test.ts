import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { getIntrospectionQuery } from 'graphql';
import { expect, it } from 'vitest';
import { onOneStore, type TestOrganization } from '../../support/service.ts';

const QUERY = getIntrospectionQuery();
const DECODERS: Record<string, (bytes: Buffer) => Buffer> = { br: brotliDecompressSync, gzip: gunzipSync };

onOneStore((service) => {
  const send = async ({ key }: TestOrganization, query: string, headers: Record<string, string>, method = 'POST') => {
    const search = method === 'POST' ? '' : `?${new URLSearchParams({ query })}`;
    const response = await service.app.fetch(
      new Request(`http://service.test/graphql${search}`, {
        method,
        headers: { 'X-Api-Key': key, 'Content-Type': 'application/json', ...headers },
        ...(method === 'POST' && { body: JSON.stringify({ query }) }),
      }),
    );
    const bytes = Buffer.from(await response.arrayBuffer());
    const decode = DECODERS[response.headers.get('Content-Encoding') ?? ''];
    const text = (decode?.(bytes) ?? bytes).toString();
    return { response, bytes, json: text === '' ? undefined : JSON.parse(text) };
  };
  const headersOf = ({ headers }: Response, ...names: string[]) => names.map((name) => headers.get(name));

  it.each([
    ['br', 'gzip, deflate, br'],
    ['gzip', 'gzip, deflate'],
    ['gzip', 'br;q=0, gzip'],
    [null, 'deflate'],
  ])('is encoded with %s for Accept-Encoding: %s, with the same content', async (encoding, accepted) => {
    const organization = await service.organization();
    const plain = await send(organization, QUERY, {});
    const { response, bytes, json } = await send(organization, QUERY, { 'Accept-Encoding': accepted });
    expect(headersOf(response, 'Content-Encoding', 'Cache-Control', 'ETag', 'Vary')).toEqual([
      encoding,
      'no-store',
      null,
      'Accept, Accept-Encoding, X-Api-Key',
    ]);
    expect(json.data).toEqual(plain.json.data);
    expect(json.extensions.rateLimit.cost).toBe(1);
    expect(plain.bytes.length).toBeGreaterThan(80_000);
    if (encoding) expect(bytes.length).toBeLessThan(plain.bytes.length / 5);
  });

  it('is revalidated by GET with the ETag of its data, in any encoding; each request is charged', async () => {
    const organization = await service.organization();
    const first = await send(organization, QUERY, { 'Accept-Encoding': 'br' }, 'GET');
    const [etag = '', control, remaining] = headersOf(first.response, 'ETag', 'Cache-Control', 'X-RateLimit-Remaining');
    expect([etag, control]).toEqual([expect.stringMatching(/^W\/"[\w-]{22}"$/), 'private, no-cache']);
    const again = await send(organization, QUERY, { 'If-None-Match': etag as string }, 'GET');
    expect([again.response.status, again.bytes.length]).toEqual([304, 0]);
    expect(headersOf(again.response, 'ETag', 'X-RateLimit-Remaining')).toEqual([etag, String(Number(remaining) - 1)]);
    const other = await send(
      organization,
      '{ __schema { queryType { name } } }',
      { 'If-None-Match': etag as string },
      'GET',
    );
    expect(other.json.data).toEqual({ __schema: { queryType: { name: 'Query' } } });
    const refused = await send({ ...organization, key: 'cms_none' }, QUERY, { 'If-None-Match': etag as string }, 'GET');
    expect(refused.response.status).toBe(401);
  });
});
