import { expect, it } from 'vitest';
import { graphql } from '../../support/graphql.ts';
import { onOneStore } from '../../support/service.ts';

const QUERY = '{ viewer { keyName } }';
const GRAPHQL_TYPE = 'application/graphql-response+json';
const JSON_TYPE = 'application/json';

onOneStore((service) => {
  it.each([
    [JSON_TYPE, JSON_TYPE, 200],
    ['Application/JSON', JSON_TYPE, 200],
    ['application/json;q=0.1', JSON_TYPE, 200],
    ['*/*;q=0.1, application/json; charset=utf-8', JSON_TYPE, 200],
    ['application/json, application/graphql-response+json;q=0.9', JSON_TYPE, 200],
    [GRAPHQL_TYPE, GRAPHQL_TYPE, 400],
    ['application/graphql-response+json, application/json', GRAPHQL_TYPE, 400],
    ['*/*', JSON_TYPE, 400],
    ['text/html, application/json;q=0', JSON_TYPE, 400],
    ['application/json-seq', JSON_TYPE, 400],
    ['text/plain; note="application/json"', JSON_TYPE, 400],
  ])('responds to an invalid document with Accept: %s as %s with status %i', async (accept, type, status) => {
    const { key } = await service.organization();
    const answer = await graphql(service.app, key)('{ nothing }', {}, { accept });
    expect([answer.headers.get('Content-Type'), answer.status]).toEqual([`${type}; charset=utf-8`, status]);
  });

  it.each([
    [GRAPHQL_TYPE, GRAPHQL_TYPE],
    ['application/json;q=0.5, application/graphql-response+json', GRAPHQL_TYPE],
    [JSON_TYPE, JSON_TYPE],
    ['*/*', JSON_TYPE],
    ['', JSON_TYPE],
  ])('responds to Accept: %j with %s', async (accept, type) => {
    const { key } = await service.organization();
    const answer = await graphql(service.app, key)(QUERY, {}, accept ? { accept } : {});
    expect(answer.headers.get('Content-Type')).toBe(`${type}; charset=utf-8`);
  });
});
