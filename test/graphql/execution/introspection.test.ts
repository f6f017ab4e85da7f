import { getIntrospectionQuery, graphqlSync, type IntrospectionOptions } from 'graphql';
import { expect, it } from 'vitest';
import { ALL_INTROSPECTION_OPTIONS } from '../../../src/graphql/operation/cost.ts';
import { schema } from '../../../src/graphql/schema/schema.ts';
import { times } from '../../support/data.ts';
import { codesIn, graphql } from '../../support/graphql.ts';
import { onOneStore } from '../../support/service.ts';

onOneStore((service) => {
  it('reports an invalid introspection argument at execution', async () => {
    const ask = graphql(service.app, (await service.organization()).key);
    const query = 'query ($name: String = "Member") { __type(name: $name) { name } }';
    expect((await ask(query)).json.data).toEqual({ __type: { name: 'Member' } });
    expect(codesIn(await ask(query, { name: null }))).toEqual(['invalid_request']);
  });

  it.each([
    ['the query of graphql-js', getIntrospectionQuery()],
    ['possible types of one type', '{ __type(name: "Node") { possibleTypes { fields { name type { name } } } } }'],
    ['a type that does not exist', '{ __type(name: "Nothing") { name } __schema { __typename } }'],
    [
      'beside records',
      '{ __schema { queryType { name } } members { edges { cursor } } t: __type(name: "Tag") { name } }',
    ],
  ])('is what graphql-js returns: %s', async (_name, source) => {
    const ask = graphql(service.app, (await service.organization()).key);
    const { json } = await ask(source);
    const contextValue = {};
    const expected = graphqlSync({ schema, source: source.replace('members { edges { cursor } }', ''), contextValue });
    const { members: _members, ...data } = json.data;
    expect(JSON.stringify(data)).toBe(JSON.stringify(expected.data));
    expect(json.errors).toBeUndefined();
  });

  it('is limited as a whole, even if the result of each field is cached', async () => {
    const ask = graphql(service.app, (await service.organization()).key);
    const named = (...aliases: readonly string[]) =>
      getIntrospectionQuery().replace(
        /query IntrospectionQuery \{\s*__schema (\{.*?\})\s*\}(?=\s*fragment)/s,
        (_, selection) =>
          `{ ${aliases.map((alias) => `${alias}: __schema { ...S }`).join(' ')} } fragment S on __Schema ${selection}`,
      );
    for (const alias of ['one', 'two']) expect((await ask(named(alias))).json.errors).toBeUndefined();
    expect(codesIn(await ask(named('one', 'two')))).toEqual(['query_too_complex']);
    expect((await ask(named('one'))).json.errors).toBeUndefined();
  });

  it('with variables has the values of each request', async () => {
    const ask = graphql(service.app, (await service.organization()).key);
    const optional = 'query ($name: String = "Tag") { b: __type(name: $name) { name } }';
    expect((await ask(optional)).json.data).toEqual({ b: { name: 'Tag' } });
    expect((await ask(optional, { name: 'Form' })).json.data).toEqual({ b: { name: 'Form' } });
    const query = 'query ($name: String!) { a: __type(name: $name) { name } }';
    for (const name of ['Member', 'Tag', 'Member']) {
      expect((await ask(query, { name })).json.data).toEqual({ a: { name } });
    }
  });

  it.each([
    [
      '60 aliases of the schema',
      `{ ${times(60, (n) => `s${n}: __schema { types { fields { name args { name } } } }`).join(' ')} }`,
    ],
    [
      'aliases within the schema',
      `{ __schema { types { ${times(20, (n) => `f${n}: fields { name description args { name description type { name } } }`).join(' ')} } } }`,
    ],
    [
      'each description under 55 names',
      `{ __schema { types { ${times(55, (n) => `d${n}: description`).join(' ')} } } }`,
    ],
  ])('rejects introspection with %s', async (_name, query) => {
    const { key } = await service.organization();
    const answer = await graphql(service.app, key)(query);
    expect([answer.status, codesIn(answer)]).toEqual([400, ['query_too_complex']]);
  });

  const VARIANTS: [string, IntrospectionOptions][] = [
    ['no descriptions', { descriptions: false }],
    ['all options', ALL_INTROSPECTION_OPTIONS],
  ];

  it.each(VARIANTS)('executes the introspection query of graphql-js with %s for one point', async (_name, options) => {
    const { key } = await service.organization();
    const { json } = await graphql(service.app, key)(getIntrospectionQuery(options));
    expect(json.errors).toBeUndefined();
    expect(json.data.__schema.queryType).toMatchObject({ name: 'Query' });
    expect(json.extensions.rateLimit.cost).toBe(1);
  });
});
