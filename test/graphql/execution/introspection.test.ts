import { getIntrospectionQuery, graphqlSync, SchemaMetaFieldDef } from 'graphql';
import { expect, it, vi } from 'vitest';
import { schema } from '../../../src/graphql/schema/schema.ts';
import { codesIn, graphql } from '../../support/graphql.ts';
import { onOneStore } from '../../support/service.ts';

const QUERIES: [string, string][] = [
  ['the query of graphql-js', getIntrospectionQuery()],
  ['names of types', '{ __schema { types { name kind } } }'],
  ['possible types', '{ __schema { types { possibleTypes { name interfaces { name } } } } }'],
  ['possible types of one type', '{ __type(name: "Node") { possibleTypes { fields { name type { name } } } } }'],
  ['types of fields', '{ __schema { types { fields { name type { name ofType { name fields { name } } } } } } }'],
  ['directives', '{ __schema { directives { name locations isRepeatable args { name defaultValue } } } }'],
  ['enum values and input fields', '{ __schema { types { enumValues { name } inputFields { name defaultValue } } } }'],
  ['a type that does not exist', '{ __type(name: "Nothing") { name } __schema { __typename } }'],
];

onOneStore((service) => {
  it('reports an invalid introspection argument at execution', async () => {
    const ask = graphql(service.app, (await service.organization()).key);
    const query = 'query ($name: String = "Member") { __type(name: $name) { name } }';
    expect((await ask(query)).json.data).toEqual({ __type: { name: 'Member' } });
    expect(codesIn(await ask(query, { name: null }))).toEqual(['invalid_request']);
  });

  it.each([
    ...QUERIES,
    [
      'with directives, fragments and aliases',
      '{ a: __schema { ...S ...S @skip(if: true) b: __typename } } fragment S on __Schema { queryType { name } types { ... on __Type @include(if: true) { kind n: name } } }',
    ],
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

  it('is computed once per document, and is the same for every caller', async () => {
    const resolve = vi.spyOn(SchemaMetaFieldDef, 'resolve');
    const source = getIntrospectionQuery({ schemaDescription: true });
    const callers = await Promise.all([1, 2].map(async () => graphql(service.app, (await service.organization()).key)));
    const expected = graphqlSync({ schema, source }).data;
    resolve.mockClear();
    for (const ask of callers) expect((await ask(source)).json.data).toEqual(expected);
    expect(resolve).toHaveBeenCalledTimes(1);
    resolve.mockRestore();
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
});
