import { it } from 'vitest';
import { graphql } from '../../../support/graphql.ts';
import { onOneStore } from '../../../support/service.ts';
import { expectRejected } from '../rejection.ts';

const QUERY = '{ viewer { keyName } }';

onOneStore((service) => {
  it.each([
    ['no key', {}, 'missing_api_key'],
    ['an empty key', { 'X-Api-Key': '' }, 'missing_api_key'],
    ['two keys', { 'X-Api-Key': 'cms_a, cms_b' }, 'missing_api_key'],
    ['an unknown key', { 'X-Api-Key': 'cms_unknown' }, 'invalid_api_key'],
    ['a key of 15 KB', { 'X-Api-Key': 'k'.repeat(15_000) }, 'invalid_api_key'],
    ['a key in another header', { Authorization: 'Bearer cms_x' }, 'missing_api_key'],
  ])('rejects introspection with %s', async (_name, headers, code) => {
    const query = '{ __schema { types { name } } }';
    expectRejected(await graphql(service.app)(query, {}, headers as Record<string, string>), 401, code);
    expectRejected(await graphql(service.app).get({ query }, headers as Record<string, string>), 401, code);
  });

  it('rejects a key in the query string', async () => {
    const { key } = await service.organization();
    const answer = await graphql(service.app).get({ query: QUERY, 'X-Api-Key': key, api_key: key });
    expectRejected(answer, 401, 'missing_api_key');
  });
});
