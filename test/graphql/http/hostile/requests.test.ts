import { expect, it } from 'vitest';
import { graphql } from '../../../support/graphql.ts';
import { onOneStore } from '../../../support/service.ts';
import { expectRejected } from '../rejection.ts';

const QUERY = '{ viewer { keyName } }';

onOneStore((service) => {
  const withKey = async () => graphql(service.app, (await service.organization()).key);

  it.each([
    ['an empty array', []],
    ['null', null],
    ['no query', {}],
    ['a null query', { query: null }],
    ['an unknown parameter', { query: QUERY, key: 'x' }],
    ['an unknown operation name', { query: `query A ${QUERY}`, operationName: 'B' }],
    ['__proto__ in addition to the query', '{"query":"{ __typename }","__proto__":{}}'],
    ['__proto__ in place of the query', '{"__proto__":{"query":"{ __typename }"}}'],
  ])('rejects %s as a body', async (_name, body) => {
    const answer = await (await withKey()).post(body);
    expectRejected(answer, 400, 'invalid_request');
    expect(answer.json.errors[0].extensions.details).toEqual(expect.any(Array));
  });

  it.each(['query', 'operationName', 'variables'])('rejects a repeated %s in a query string', async (name) => {
    const { request } = await withKey();
    const answer = await request('GET', {}, `?${name}={__typename}&${name}={__typename}`);
    expectRejected(answer, 400, 'invalid_request');
    expect(answer.json.errors[0].extensions.details).toEqual([{ field: name, message: 'must be given once' }]);
  });

  it('names the parameters of a query string if one is unknown', async () => {
    const { request } = await withKey();
    const answer = await request('GET', {}, '?query={__typename}&zork=1&operationname=A');
    expectRejected(answer, 400, 'invalid_request');
    expect(answer.json.errors[0].extensions.details).toEqual([
      { field: 'zork', message: 'unknown parameter; use query, documentId, operationName, variables, extensions' },
      { field: 'operationname', message: 'unknown parameter; did you mean operationName?' },
    ]);
  });

  it.each(['', '{', '{"query":"{ __typename }"', '\ufeff{"query":"{ __typename }"}', "{query:'{ __typename }'}"])(
    'rejects %j as invalid JSON',
    async (body) => {
      expectRejected(await (await withKey()).post(body), 400, 'invalid_json');
    },
  );

  it.each([
    ['plain text', 'text/plain', JSON.stringify({ query: QUERY })],
    ['a bare query', 'application/graphql', QUERY],
    ['a form', 'application/x-www-form-urlencoded', `query=${encodeURIComponent(QUERY)}`],
    ['JSON in UTF-16', 'application/json; charset=utf-16', JSON.stringify({ query: QUERY })],
    ['another JSON media type', 'application/vnd.api+json', JSON.stringify({ query: QUERY })],
  ])('rejects %s as a body', async (_name, type, body) => {
    expectRejected(await (await withKey()).post(body, { 'Content-Type': type }), 415, 'unsupported_media_type');
  });

  it('rejects a body without a content type, and a compressed body', async () => {
    const ask = await withKey();
    const untyped = await ask.request('POST', { body: Buffer.from(JSON.stringify({ query: QUERY })) });
    expectRejected(untyped, 415, 'unsupported_media_type');
    const compressed = await ask.post({ query: QUERY }, { 'Content-Encoding': 'gzip' });
    expectRejected(compressed, 415, 'unsupported_media_type');
  });

  it('requires a key for introspection', async () => {
    const query = '{ __schema { types { name } } }';
    expectRejected(await graphql(service.app)(query), 401, 'missing_api_key');
    expectRejected(await graphql(service.app).get({ query, api_key: 'cms_x' }), 401, 'missing_api_key');
  });

  it('rejects a mutation by GET without executing it', async () => {
    const { key, id } = await service.organization();
    const query = 'mutation { submitPrayerRequest(input: { description: "Rain" }) { prayerRequest { id } } }';
    for (const parameters of [
      { query },
      { query: `query A ${QUERY} mutation B ${query.slice(9)}`, operationName: 'B' },
    ]) {
      const answer = await graphql(service.app, key).get(parameters);
      expectRejected(answer, 405, 'method_not_allowed');
      expect(answer.headers.get('Allow')).toMatch(/\bPOST\b/);
    }
    expect(await service.store.prisma.prayerRequest.count({ where: { organizationId: id } })).toBe(0);
  });

  it('treats an empty operation name as missing', async () => {
    expect((await (await withKey()).post({ query: QUERY, operationName: '' })).status).toBe(200);
  });

  it.each(['{', '[]', '5', '"x"'])('rejects %s as the variables of a GET', async (variables) => {
    expectRejected(await (await withKey()).get({ query: QUERY, variables }), 400, 'invalid_request');
  });

  it.each(['PUT', 'PATCH', 'DELETE'])('rejects the method %s and lists the allowed methods', async (method) => {
    const answer = await (await withKey()).request(method);
    expectRejected(answer, 405, 'method_not_allowed');
    expect(answer.headers.get('Allow')).toBe('GET, HEAD, POST, OPTIONS');
  });

  it('sends no CORS headers', async () => {
    const ask = await withKey();
    const origin = { Origin: 'https://elsewhere.example', 'Access-Control-Request-Method': 'POST' };
    const answers = [
      await ask(QUERY, {}, origin),
      await ask.request('OPTIONS', { headers: origin }),
      await ask.request('PUT'),
    ];
    for (const { headers } of answers) {
      expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
    }
  });
});
