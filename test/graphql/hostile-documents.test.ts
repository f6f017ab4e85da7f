import { expect, it } from 'vitest';
import { DOCUMENT_LIMITS } from '../../src/graphql/execution/limits.ts';
import { countingApp } from '../support/counting.ts';
import { times } from '../support/data.ts';
import { graphql } from '../support/graphql.ts';
import { within } from '../support/pace.ts';
import { onOneStore } from '../support/service.ts';

/** What a refusal may take; most take a few milliseconds. */
const FAST_MS = 300;

const nested = (depth: number, open: string, close: string) => `${open.repeat(depth)}${close.repeat(depth)}`;
const fragments = (count: number, body: (n: number) => string) =>
  times(count, (n) => `fragment F${n} on Query { ${body(n)} }`).join(' ');

const TOO_COMPLEX: Record<string, string> = {
  '2,000 aliases': `{ ${times(2_000, (n) => `a${n}: __typename`).join(' ')} }`,
  'an alias too many': `{ ${times(DOCUMENT_LIMITS.aliases + 1, (n) => `a${n}: __typename`).join(' ')} }`,
  '2,000 nested aliases': `{ viewer { ${times(2_000, (n) => `a${n}: keyName`).join(' ')} } }`,
  'fields 20,000 deep': nested(20_000, '{a', '}'),
  'fields 21 deep': deep(21),
  'a list 5,000 deep': `{ members(search: ${nested(5_000, '[', ']')}) { edges { cursor } } }`,
  'an object 5,000 deep': `{ members(search: ${nested(5_000, '{a:', '}').replace(':}', ':1}')}) { edges { cursor } } }`,
  'a type 5,000 deep': `query ($a: ${nested(5_000, '[', ']').replace('[]', '[Int]')}) { viewer { keyName } }`,
  'depth hidden in fragments': `{ ...F0 } ${hiddenDepth(40)}`,
  'breadth that doubles at every level': `{ members(first: 1) { edges { node { ...M0 } } } } ${doubling(5)}`,
  '5,000 times one field': `{ ${'viewer { keyName } '.repeat(5_000)} }`,
  '3,000 times one field': `{ ${'__typename '.repeat(3_000)} }`,
  '1,500 times one field, in fragments': `{ ${times(90, (n) => `...F${n}`).join(' ')} } ${fragments(90, () => '__typename '.repeat(17))}`,
  '3,000 directives on one field': `{ viewer { keyName ${'@skip(if: false) '.repeat(3_000)} } }`,
  '51 directives': `{ viewer { ${times(51, () => 'keyName @include(if: true)').join(' ')} } }`,
  '1,000 unknown directives': `{ viewer { keyName ${'@a '.repeat(1_000)} } }`,
  '101 fragments': `{ ...F0 } ${fragments(101, (n) => (n === 100 ? '__typename' : `...F${n + 1}`))}`,
  '101 operations': times(101, (n) => `query Q${n} { __typename }`).join(' '),
  '201 fields of one name with arguments': `{ ${'member(id: "a") { id } '.repeat(201)} }`,
  '201 fields of one name with selections': `{ ${'viewer { keyName } '.repeat(201)} }`,
  'one column under six names for 10,000 records': `{ departments(first: 100) { edges { node { members(first: 100) { edges { node { ${times(6, (n) => `a${n}: firstName`).join(' ')} } } } } } } }`,
  '3,000 variables': `query (${times(3_000, (n) => `$v${n}: Int`).join(' ')}) { viewer { keyName } }`,
  'pages of pages':
    '{ departments(first: 100) { edges { node { members(first: 100) { edges { node { tags { id } } } } } } } }',
  'pages of pages, by a variable':
    'query ($n: Int = 100) { departments(first: $n) { edges { node { members(last: $n) { edges { node { tags { id } } } } } } } }',
  'pages of pages, in fragments':
    '{ departments(first: 100) { edges { node { ...D } } } } fragment D on Department { members(first: 100) { edges { node { ...M } } } } fragment M on Member { tags { id } }',
  'many large lists': `{ ${times(50, (n) => `a${n}: departments(first: 100) { edges { node { members(first: 100) { edges { cursor } } } } }`).join(' ')} }`,
};

/** Fields so deep, with a single record at each level. */
function deep(levels: number): string {
  const round = ['responses(first: 1)', 'edges', 'node', 'form'];
  const fields = ['forms(first: 1)', 'edges', 'node', ...times(levels, (n) => round[n % 4])].slice(0, levels - 1);
  return `{ ${fields.join(' { ')} { __typename ${'} '.repeat(levels)}`;
}

/** Fragments each of which opens the next one twice. */
function doubling(count: number): string {
  const twice = (field: string) => `a: ${field} b: ${field}`;
  const step = (n: number) => `
    fragment M${n} on Member { ${twice(`departments { ...D${n} }`)} }
    fragment D${n} on Department { ${twice(`members(first: 1) { edges { node { ...M${n + 1} } } }`)} }`;
  return `${times(count, step).join(' ')} fragment M${count} on Member { id }`;
}

/** Depth of which no part of the document has more than a little. */
function hiddenDepth(count: number): string {
  const step = (n: number) =>
    n % 2 === 0
      ? `fragment F${n} on ${n === 0 ? 'Query' : 'Member'} { departments ${n === 0 ? '{ edges { node { ...F1 } } }' : `{ ...F${n + 1} }`} }`
      : `fragment F${n} on Department { members { edges { node { ...F${n + 1} } } } }`;
  return `${times(count, step).join(' ')} fragment F${count} on ${count % 2 ? 'Department' : 'Member'} { id }`;
}

const INVALID: Record<string, string> = {
  'a fragment in itself': '{ ...F } fragment F on Query { ...F }',
  'fragments in a circle': '{ ...F0 } fragment F0 on Query { ...F1 } fragment F1 on Query { viewer { keyName } ...F0 }',
  'fragments in a circle that nothing uses':
    '{ viewer { keyName } } fragment A on Query { ...B } fragment B on Query { ...A }',
  'fragments in a circle, below':
    '{ ...F } fragment F on Query { events { ...G } } fragment G on EventConnection { edges { ...H } } fragment H on EventEdge { ... { ...H } }',
  nothing: '',
  'a space': ' ',
  'no GraphQL': 'SELECT 1',
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
  'a conflict': '{ viewer { a: keyName a: expiresAt } }',
  'a missing argument': '{ member { id } }',
  'no selection': '{ viewer }',
  'no operation': 'fragment F on Query { __typename }',
  'a subscription': 'subscription { viewer { keyName } }',
  'a schema': 'type Query { a: Int }',
  'two anonymous operations': '{ __typename } { __typename }',
  'two operations, none chosen': 'query A { __typename } query B { __typename }',
  'introspection in circles':
    '{ __type(name: "Member") { fields { type { fields { type { fields { type { fields { name } } } } } } } } }',
};

onOneStore((service) => {
  it.each(Object.entries(TOO_COMPLEX))('refuses %s fast, before any SQL but for the key', async (_name, query) => {
    const { app, during } = countingApp(service);
    const { key } = await service.organization();
    await graphql(app, key)('{ viewer { keyName } }');
    const started = performance.now();
    const { result, statements } = await during(() => graphql(app, key)(query));
    expect(performance.now() - started).toBeLessThan(within(FAST_MS));
    expect([result.status, result.json.errors.map(codeOf)]).toEqual([400, ['query_too_complex']]);
    expect(result.json).not.toHaveProperty('data');
    expect(statements).toEqual([expect.stringContaining('FROM api_key')]);
  });

  it.each(Object.entries(INVALID))('refuses %s as a query', async (_name, query) => {
    const { app, during } = countingApp(service);
    const { key } = await service.organization();
    const started = performance.now();
    const { result, statements } = await during(() => graphql(app, key)(query));
    expect(performance.now() - started).toBeLessThan(within(FAST_MS));
    expect(result.status).toBe(400);
    expect(new Set(result.json.errors.map(codeOf))).toEqual(new Set(['invalid_request']));
    expect(result.json).not.toHaveProperty('data');
    expect(statements).toHaveLength(1);
  });

  it('refuses a query of 1 MB fast', async () => {
    const { key } = await service.organization();
    const started = performance.now();
    const answer = await graphql(service.app, key)(`{ ${'a'.repeat(1_000_000)} }`);
    expect(performance.now() - started).toBeLessThan(within(FAST_MS));
    expect([answer.status, answer.json.errors.map(codeOf)]).toEqual([413, ['payload_too_large']]);
  });

  it('answers fast to 100 KB of white space and comments', async () => {
    const { key } = await service.organization();
    const started = performance.now();
    const answer = await graphql(service.app, key)(`{ viewer { keyName } } ${'#,\n'.repeat(20_000)}`);
    expect(performance.now() - started).toBeLessThan(within(FAST_MS));
    expect(answer.json.data).toEqual({ viewer: { keyName: 'Test' } });
  });

  it('answers fast to fragments that are opened over and over', async () => {
    const { key } = await service.organization();
    const spread = fragments(60, (n) => `...F${n + 1} ...F${n + 1} a${n}: viewer { keyName }`);
    const started = performance.now();
    const answer = await graphql(service.app, key)(`{ ...F0 ...F0 } ${spread} fragment F60 on Query { __typename }`);
    expect(performance.now() - started).toBeLessThan(within(FAST_MS));
    expect([answer.status, answer.json.extensions.rateLimit.cost]).toEqual([200, 60]);
  });

  it('leaves room for fields 20 deep', async () => {
    const { key } = await service.organization();
    const answer = await graphql(service.app, key)(deep(20));
    expect([answer.status, answer.json.errors]).toEqual([200, undefined]);
  });

  it('leaves room for departments, members and their tags', async () => {
    const { key } = await service.organization();
    const answer = await graphql(
      service.app,
      key,
    )('{ departments(first: 20) { edges { node { members(first: 50) { edges { node { tags { id } } } } } } } }');
    expect([answer.status, answer.json.errors]).toEqual([200, undefined]);
  });

  it('leaves room for six columns of 10,000 records', async () => {
    const { key } = await service.organization();
    const answer = await graphql(
      service.app,
      key,
    )(
      '{ departments(first: 100) { edges { node { members(first: 100) { edges { node { id firstName lastName city state country } } } } } } }',
    );
    expect([answer.status, answer.json.errors]).toEqual([200, undefined]);
  });

  it('leaves room for 200 fields of one name', async () => {
    const { key } = await service.organization();
    const answer = await graphql(service.app, key)(`{ ${'viewer { keyName } '.repeat(200)} }`);
    expect([answer.status, answer.json.errors]).toEqual([200, undefined]);
  });

  it('lists at most 20 errors of a document, and that there are more', async () => {
    const { key } = await service.organization();
    const { json } = await graphql(service.app, key)(`{ ${times(60, (n) => `unknown${n}`).join(' ')} }`);
    expect(json.errors).toHaveLength(21);
    expect(json.errors.at(-1).message).toMatch(/too many validation errors/i);
  });

  it('leaves room for the whole introspection', async () => {
    const { getIntrospectionQuery } = await import('graphql');
    const { key } = await service.organization();
    const query = getIntrospectionQuery({ descriptions: true, inputValueDeprecation: true, specifiedByUrl: true });
    const answer = await graphql(service.app, key)(query);
    expect([answer.status, answer.json.errors]).toEqual([200, undefined]);
    expect(answer.json.data.__schema.types.length).toBeGreaterThan(50);
  });

  it('lets aliased mutations be as many as are paid for, and each is carried out', async () => {
    const { key, id } = await service.organization();
    const most = DOCUMENT_LIMITS.aliases;
    const submit = (n: number) => `a${n}: submitPrayerRequest(input: { description: "Rain" }) { prayerRequest { id } }`;
    const answer = await graphql(service.app, key)(`mutation { ${times(most, submit).join(' ')} }`);
    expect(answer.json.extensions.rateLimit.cost).toBe(most);
    expect(await service.store.prisma.prayerRequest.count({ where: { organizationId: id } })).toBe(most);
    expect((await graphql(service.app, key)(`mutation { ${times(most + 1, submit).join(' ')} }`)).status).toBe(400);
    expect(await service.store.prisma.prayerRequest.count({ where: { organizationId: id } })).toBe(most);
  });
});

function codeOf({ extensions }: { extensions: { code: string } }): string {
  return extensions.code;
}
