import { expect, it } from 'vitest';
import { DOCUMENT_LIMITS } from '../../src/graphql/execution/limits.ts';
import { countingApp } from '../support/counting.ts';
import { times } from '../support/data.ts';
import { graphql } from '../support/graphql.ts';
import { within } from '../support/pace.ts';
import { onOneStore } from '../support/service.ts';

/** Maximum time for rejecting a document; most take a few milliseconds. */
const MAX_MS = 300;

const nested = (depth: number, open: string, close: string) => `${open.repeat(depth)}${close.repeat(depth)}`;
const fragments = (count: number, body: (n: number) => string) =>
  times(count, (n) => `fragment F${n} on Query { ${body(n)} }`).join(' ');

const TOO_COMPLEX: Record<string, string> = {
  '2,000 aliases': `{ ${times(2_000, (n) => `a${n}: __typename`).join(' ')} }`,
  'one alias too many': `{ ${times(DOCUMENT_LIMITS.aliases + 1, (n) => `a${n}: __typename`).join(' ')} }`,
  '2,000 nested aliases': `{ viewer { ${times(2_000, (n) => `a${n}: keyName`).join(' ')} } }`,
  'fields 20,000 deep': nested(20_000, '{a', '}'),
  'fields 21 deep': deep(21),
  'a list 5,000 deep': `{ members(search: ${nested(5_000, '[', ']')}) { edges { cursor } } }`,
  'an object 5,000 deep': `{ members(search: ${nested(5_000, '{a:', '}').replace(':}', ':1}')}) { edges { cursor } } }`,
  'a type 5,000 deep': `query ($a: ${nested(5_000, '[', ']').replace('[]', '[Int]')}) { viewer { keyName } }`,
  'depth hidden in fragments': `{ ...F0 } ${hiddenDepth(40)}`,
  'breadth that doubles at every level': `{ members(first: 1) { edges { node { ...M0 } } } } ${doubling(5)}`,
  'a field with a selection 5,000 times': `{ ${'viewer { keyName } '.repeat(5_000)} }`,
  'a field 3,000 times': `{ ${'__typename '.repeat(3_000)} }`,
  'a field 1,500 times, in fragments': `{ ${times(90, (n) => `...F${n}`).join(' ')} } ${fragments(90, () => '__typename '.repeat(17))}`,
  '3,000 directives on one field': `{ viewer { keyName ${'@skip(if: false) '.repeat(3_000)} } }`,
  '51 directives': `{ viewer { ${times(51, () => 'keyName @include(if: true)').join(' ')} } }`,
  '1,000 unknown directives': `{ viewer { keyName ${'@a '.repeat(1_000)} } }`,
  '101 fragments': `{ ...F0 } ${fragments(101, (n) => (n === 100 ? '__typename' : `...F${n + 1}`))}`,
  '101 operations': times(101, (n) => `query Q${n} { __typename }`).join(' '),
  '201 fields with the same name and arguments': `{ ${'member(id: "a") { id } '.repeat(201)} }`,
  '201 fields with the same name and selections': `{ ${'viewer { keyName } '.repeat(201)} }`,
  'a column with six aliases for 10,000 records': `{ departments(first: 100) { edges { node { members(first: 100) { edges { node { ${times(6, (n) => `a${n}: firstName`).join(' ')} } } } } } } }`,
  '3,000 variables': `query (${times(3_000, (n) => `$v${n}: Int`).join(' ')}) { viewer { keyName } }`,
  'nested pages':
    '{ departments(first: 100) { edges { node { members(first: 100) { edges { node { tags { id } } } } } } } }',
  'nested pages, sized by a variable':
    'query ($n: Int = 100) { departments(first: $n) { edges { node { members(last: $n) { edges { node { tags { id } } } } } } } }',
  'nested pages, in fragments':
    '{ departments(first: 100) { edges { node { ...D } } } } fragment D on Department { members(first: 100) { edges { node { ...M } } } } fragment M on Member { tags { id } }',
  'many large lists': `{ ${times(50, (n) => `a${n}: departments(first: 100) { edges { node { members(first: 100) { edges { cursor } } } } }`).join(' ')} }`,
};

/** A query nested to this depth, with at most one record at each level. */
function deep(levels: number): string {
  const round = ['responses(first: 1)', 'edges', 'node', 'form'];
  const fields = ['forms(first: 1)', 'edges', 'node', ...times(levels, (n) => round[n % 4])].slice(0, levels - 1);
  return `{ ${fields.join(' { ')} { __typename ${'} '.repeat(levels)}`;
}

/** Fragments of which each spreads the next one twice. */
function doubling(count: number): string {
  const twice = (field: string) => `a: ${field} b: ${field}`;
  const step = (n: number) => `
    fragment M${n} on Member { ${twice(`departments { ...D${n} }`)} }
    fragment D${n} on Department { ${twice(`members(first: 1) { edges { node { ...M${n + 1} } } }`)} }`;
  return `${times(count, step).join(' ')} fragment M${count} on Member { id }`;
}

/** Fragments that are shallow, but deeply nested when inlined. */
function hiddenDepth(count: number): string {
  const step = (n: number) =>
    n % 2 === 0
      ? `fragment F${n} on ${n === 0 ? 'Query' : 'Member'} { departments ${n === 0 ? '{ edges { node { ...F1 } } }' : `{ ...F${n + 1} }`} }`
      : `fragment F${n} on Department { members { edges { node { ...F${n + 1} } } } }`;
  return `${times(count, step).join(' ')} fragment F${count} on ${count % 2 ? 'Department' : 'Member'} { id }`;
}

const INVALID: Record<string, string> = {
  'a fragment that spreads itself': '{ ...F } fragment F on Query { ...F }',
  'a fragment cycle': '{ ...F0 } fragment F0 on Query { ...F1 } fragment F1 on Query { viewer { keyName } ...F0 }',
  'an unused fragment cycle': '{ viewer { keyName } } fragment A on Query { ...B } fragment B on Query { ...A }',
  'a fragment cycle below the root':
    '{ ...F } fragment F on Query { events { ...G } } fragment G on EventConnection { edges { ...H } } fragment H on EventEdge { ... { ...H } }',
  'an empty document': '',
  'a space': ' ',
  'a document that is not GraphQL': 'SELECT 1',
  'an unclosed brace': '{',
  'an unclosed string': '{ members(search: "a',
  'a NUL': '{ viewer\0 { keyName } }',
  'a lone surrogate': '{ members(search: "\ud800") { edges { cursor } } }',
  'an escaped lone surrogate': '{ members(search: "\\ud800") { edges { cursor } } }',
  'an unknown field': '{ nothing }',
  'an unknown type': '{ ... on Nothing { id } }',
  'an unknown directive': '{ viewer @nothing { keyName } }',
  'an unknown argument': '{ members(limit: 5) { edges { cursor } } }',
  'an unused fragment': '{ viewer { keyName } } fragment F on Query { __typename }',
  'an undeclared variable': '{ member(id: $id) { id } }',
  'conflicting fields': '{ viewer { a: keyName a: expiresAt } }',
  'a missing argument': '{ member { id } }',
  'no selection': '{ viewer }',
  'no operation': 'fragment F on Query { __typename }',
  'a subscription': 'subscription { viewer { keyName } }',
  'a type definition': 'type Query { a: Int }',
  'two anonymous operations': '{ __typename } { __typename }',
  'two operations without operationName': 'query A { __typename } query B { __typename }',
  'cyclic introspection':
    '{ __type(name: "Member") { fields { type { fields { type { fields { type { fields { name } } } } } } } } }',
};

onOneStore((service) => {
  it.each(Object.entries(TOO_COMPLEX))(
    'rejects %s quickly, with no statement except the key check',
    async (_name, query) => {
      const { app, during } = countingApp(service);
      const { key } = await service.organization();
      await graphql(app, key)('{ viewer { keyName } }');
      const started = performance.now();
      const { result, statements } = await during(() => graphql(app, key)(query));
      expect(performance.now() - started).toBeLessThan(within(MAX_MS));
      expect([result.status, result.json.errors.map(codeOf)]).toEqual([400, ['query_too_complex']]);
      expect(result.json).not.toHaveProperty('data');
      expect(statements).toEqual([expect.stringContaining('FROM api_key')]);
    },
  );

  it.each(Object.entries(INVALID))('rejects %s as an invalid document', async (_name, query) => {
    const { app, during } = countingApp(service);
    const { key } = await service.organization();
    const started = performance.now();
    const { result, statements } = await during(() => graphql(app, key)(query));
    expect(performance.now() - started).toBeLessThan(within(MAX_MS));
    expect(result.status).toBe(400);
    expect(new Set(result.json.errors.map(codeOf))).toEqual(new Set(['invalid_request']));
    expect(result.json).not.toHaveProperty('data');
    expect(statements).toHaveLength(1);
  });

  it('rejects a query of 1 MB quickly', async () => {
    const { key } = await service.organization();
    const started = performance.now();
    const answer = await graphql(service.app, key)(`{ ${'a'.repeat(1_000_000)} }`);
    expect(performance.now() - started).toBeLessThan(within(MAX_MS));
    expect([answer.status, answer.json.errors.map(codeOf)]).toEqual([413, ['payload_too_large']]);
  });

  it('executes a query with 20,000 comments quickly', async () => {
    const { key } = await service.organization();
    const started = performance.now();
    const answer = await graphql(service.app, key)(`{ viewer { keyName } } ${'#,\n'.repeat(20_000)}`);
    expect(performance.now() - started).toBeLessThan(within(MAX_MS));
    expect(answer.json.data).toEqual({ viewer: { keyName: 'Test' } });
  });

  it('executes a query with fragments that are spread many times quickly', async () => {
    const { key } = await service.organization();
    const spread = fragments(60, (n) => `...F${n + 1} ...F${n + 1} a${n}: viewer { keyName }`);
    const started = performance.now();
    const answer = await graphql(service.app, key)(`{ ...F0 ...F0 } ${spread} fragment F60 on Query { __typename }`);
    expect(performance.now() - started).toBeLessThan(within(MAX_MS));
    expect([answer.status, answer.json.extensions.rateLimit.cost]).toEqual([200, 60]);
  });

  it('allows a depth of 20', async () => {
    const { key } = await service.organization();
    const answer = await graphql(service.app, key)(deep(20));
    expect([answer.status, answer.json.errors]).toEqual([200, undefined]);
  });

  it('allows departments, members and their tags', async () => {
    const { key } = await service.organization();
    const answer = await graphql(
      service.app,
      key,
    )('{ departments(first: 20) { edges { node { members(first: 50) { edges { node { tags { id } } } } } } } }');
    expect([answer.status, answer.json.errors]).toEqual([200, undefined]);
  });

  it('allows six columns of 10,000 records', async () => {
    const { key } = await service.organization();
    const answer = await graphql(
      service.app,
      key,
    )(
      '{ departments(first: 100) { edges { node { members(first: 100) { edges { node { id firstName lastName city state country } } } } } } }',
    );
    expect([answer.status, answer.json.errors]).toEqual([200, undefined]);
  });

  it('allows 200 fields with the same name', async () => {
    const { key } = await service.organization();
    const answer = await graphql(service.app, key)(`{ ${'viewer { keyName } '.repeat(200)} }`);
    expect([answer.status, answer.json.errors]).toEqual([200, undefined]);
  });

  it('lists at most 20 validation errors, and states that there are more', async () => {
    const { key } = await service.organization();
    const { json } = await graphql(service.app, key)(`{ ${times(60, (n) => `unknown${n}`).join(' ')} }`);
    expect(json.errors).toHaveLength(21);
    expect(json.errors.at(-1).message).toMatch(/too many validation errors/i);
  });

  it('allows the introspection query of graphql-js', async () => {
    const { getIntrospectionQuery } = await import('graphql');
    const { key } = await service.organization();
    const query = getIntrospectionQuery({ descriptions: true, inputValueDeprecation: true, specifiedByUrl: true });
    const answer = await graphql(service.app, key)(query);
    expect([answer.status, answer.json.errors]).toEqual([200, undefined]);
    expect(answer.json.data.__schema.types.length).toBeGreaterThan(50);
  });

  it('executes and charges as many aliased mutations as the limit of aliases allows', async () => {
    const { key, id } = await service.organization();
    const maximum = DOCUMENT_LIMITS.aliases;
    const submit = (n: number) => `a${n}: submitPrayerRequest(input: { description: "Rain" }) { prayerRequest { id } }`;
    const answer = await graphql(service.app, key)(`mutation { ${times(maximum, submit).join(' ')} }`);
    expect(answer.json.extensions.rateLimit.cost).toBe(maximum);
    expect(await service.store.prisma.prayerRequest.count({ where: { organizationId: id } })).toBe(maximum);
    expect((await graphql(service.app, key)(`mutation { ${times(maximum + 1, submit).join(' ')} }`)).status).toBe(400);
    expect(await service.store.prisma.prayerRequest.count({ where: { organizationId: id } })).toBe(maximum);
  });
});

function codeOf({ extensions }: { extensions: { code: string } }): string {
  return extensions.code;
}
