import { expect, it } from 'vitest';
import { graphql } from '../../support/graphql.ts';
import { manyOf } from '../../support/many.ts';
import { onOneStore } from '../../support/service.ts';

const NAMES = 'fragment N on Member { firstName lastName }';

onOneStore((service) => {
  async function withMember() {
    const organization = await service.organization();
    await manyOf(service, organization.id).members(1);
    return graphql(service.app, organization.key);
  }

  const list = (selection: string) => `members(first: 1) { edges { node { ${selection} } } }`;
  const nodeOf = (connection: { edges: { node: object }[] }) => connection.edges[0]?.node;

  it('applies a directive only to its own fragment spread', async () => {
    const ask = await withMember();
    const query = `query($x: Boolean!) { a: ${list('id ...N @include(if: $x)')} b: ${list('id ...N')} } ${NAMES}`;
    const { data } = (await ask(query, { x: false })).json;
    expect(Object.keys(nodeOf(data.a) ?? {})).toEqual(['id']);
    expect(Object.keys(nodeOf(data.b) ?? {})).toEqual(['id', 'firstName', 'lastName']);
  });

  it('does not apply the directive of an inline fragment to other spreads of the same fragment', async () => {
    const ask = await withMember();
    const query = `query($x: Boolean!) { m: ${list('... @include(if: $x) { ...N city } ...N')} } ${NAMES}`;
    const { data } = (await ask(query, { x: false })).json;
    expect(Object.keys(nodeOf(data.m) ?? {})).toEqual(['firstName', 'lastName']);
  });

  it('keeps the operations of a document separate', async () => {
    const ask = await withMember();
    const query = `query A($x: Boolean!) { ${list('id ...N @include(if: $x)')} } query B { ${list('id ...N')} } ${NAMES}`;
    await ask.post({ query, variables: { x: false }, operationName: 'A' });
    const { data } = (await ask.post({ query, operationName: 'B' })).json;
    expect(Object.keys(nodeOf(data.members) ?? {})).toEqual(['id', 'firstName', 'lastName']);
  });

  it('applies a type condition inside an abstract fragment', async () => {
    const organization = await service.organization();
    await manyOf(service, organization.id).tags(1, () => []);
    const ask = graphql(service.app, organization.key);
    const { json } = await ask(
      '{ tags(first: 1) { edges { node { ... on Node { ... on Event { description } } } } } }',
    );
    expect(json.data).toEqual({ tags: { edges: [{ node: {} }] } });
  });
});
