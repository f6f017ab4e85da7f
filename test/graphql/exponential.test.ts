import { expect, it } from 'vitest';
import { times } from '../support/data.ts';
import { codesIn, graphql } from '../support/graphql.ts';
import { manyOf } from '../support/many.ts';
import { within } from '../support/pace.ts';
import { onOneStore } from '../support/service.ts';

const LEVELS = 40;
const MAX_MS = 100;

/** Fragments of which each spreads the next one several times: when inlined, they double with each level. */
const chain = (type: string, body: (next: string) => string, end: string) =>
  times(LEVELS, (n) => `fragment F${n} on ${type} { ${n === LEVELS - 1 ? end : body(`F${n + 1}`)} }`).join(' ');

const tags = (fragments: string) => `{ tags { edges { node { ...F0 } } } } ${fragments}`;
const members = (fragments: string) => `{ members(first: 1) { edges { node { ...F0 } } } } ${fragments}`;

const DOCUMENTS: Readonly<Record<string, string>> = {
  'spread twice': tags(chain('Tag', (next) => `...${next} ...${next}`, 'id')),
  'spread twice, with conditions': tags(
    chain('Tag', (next) => `...${next} @include(if: true) ...${next} @skip(if: false)`, 'id'),
  ),
  'spread twice, in inline fragments': tags(
    chain('Tag', (next) => `... { ...${next} } ... on Node { ...${next} }`, 'id'),
  ),
  'spread in an object that is selected twice': members(
    chain('Member', (next) => `tags { id } ...${next} departments { id } ...${next}`, 'id'),
  ),
  'spread below two aliases': members(
    chain(
      'Member',
      (next) => `a: departments { headOfDepartment { ...${next} } } b: departments { headOfDepartment { ...${next} } }`,
      'id',
    ),
  ),
  'spread below the same field twice': members(
    chain(
      'Member',
      (next) => `departments { headOfDepartment { ...${next} } } departments { headOfDepartment { ...${next} } }`,
      'id',
    ),
  ),
  'spread below an interface': `{ node(id: "x") { ...F0 } } ${chain('Node', (next) => `...${next} ... on Tag { ...${next} }`, 'id')}`,
  'spread in introspection': `{ __schema { types { ...F0 } } } ${chain('__Type', (next) => `a: ofType { ...${next} } b: ofType { ...${next} }`, 'name')}`,
  'spread at the root': `{ ...F0 } ${chain('Query', (next) => `...${next} ...${next}`, '__typename')}`,
};

onOneStore((service) => {
  it.each(Object.entries(DOCUMENTS))('executes or rejects fragments %s within 100 ms', async (_name, query) => {
    const { id, key } = await service.organization();
    await manyOf(service, id).members(1);
    const ask = graphql(service.app, key);
    await ask('{ tags { edges { cursor } } members { edges { cursor } } }');
    const started = performance.now();
    const answer = await ask(query);
    expect(performance.now() - started).toBeLessThan(within(MAX_MS));
    const codes = codesIn(answer);
    expect(['query_too_complex', 'invalid_request', 'not_found', undefined]).toContain(codes[0]);
  });

  it('returns the correct result for fragments that are spread many times', async () => {
    const { id, key } = await service.organization();
    await manyOf(service, id).tags(1, () => []);
    const { json } = await graphql(service.app, key)(DOCUMENTS['spread twice'] as string);
    expect(json.data.tags.edges).toEqual([{ node: { id: expect.stringMatching(/^tag_/) } }]);
  });
});
