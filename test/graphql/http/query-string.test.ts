import { expect, it } from 'vitest';
import { person } from '../../support/data.ts';
import { graphql } from '../../support/graphql.ts';
import { onOneStore } from '../../support/service.ts';

const SEARCH = encodeURIComponent('query A($text: String) { members(search: $text) { totalCount } }');

onOneStore((service) => {
  it.each([
    ['query', `%7B__typename%7D%20%23%FF`],
    ['variables', `${SEARCH}&variables=%7B%22text%22:%22a%FFb%22%7D`],
    ['variables', `${SEARCH}&variables={"text":"100%25%"}`],
    ['extensions', '{__typename}&extensions={"note":"%C3"}'],
    ['operationName', `${SEARCH}&operationName=%ED%A0%80`],
  ])('rejects a %s that is not percent-encoded UTF-8', async (field, query) => {
    const { key } = await service.organization();
    const answer = await graphql(service.app, key).request('GET', {}, `?query=${query}`);
    expect(answer.status).toBe(400);
    expect(answer.json.errors[0].extensions).toEqual({
      code: 'invalid_request',
      details: [{ field, message: 'must be percent-encoded UTF-8' }],
    });
  });

  it('decodes names and values, and ignores empty parameters', async () => {
    const organization = await service.organization();
    await organization.post('/members', person({ last_name: 'Ñandú + 100%' }));
    const variables = encodeURIComponent(JSON.stringify({ text: 'ñandú + 100%' })).replaceAll('%20', '+');
    const search = `?%71uery=${SEARCH}&&variables=${variables}&`;
    const answer = await graphql(service.app, organization.key).request('GET', {}, search);
    expect(answer.json.data).toEqual({ members: { totalCount: 1 } });
  });

  it.each(['query', 'documentId', 'variables', 'extensions'])(
    'rejects %s in the query string of a POST, which would be ignored',
    async (name) => {
      const { key } = await service.organization();
      const body = JSON.stringify({ query: decodeURIComponent(SEARCH) });
      const headers = { 'Content-Type': 'application/json' };
      const search = `?${name}=${encodeURIComponent('{"text":"a"}')}`;
      const answer = await graphql(service.app, key).request('POST', { body, headers }, search);
      expect(answer.status).toBe(400);
      expect(answer.json.errors[0].extensions).toEqual({
        code: 'invalid_request',
        details: [{ field: name, message: 'must be in the body of a POST, not in the query string' }],
      });
    },
  );

  it('ignores other parameters in the query string of a POST, which some clients add for logs', async () => {
    const { key } = await service.organization();
    const body = JSON.stringify({ query: '{ __typename }' });
    const headers = { 'Content-Type': 'application/json' };
    const answer = await graphql(service.app, key).request(
      'POST',
      { body, headers },
      '?op=Members&operationName=Members&%FF',
    );
    expect(answer.json.data).toEqual({ __typename: 'Query' });
  });
});
