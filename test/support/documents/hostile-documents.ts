import { DOCUMENT_LIMITS } from '../../../src/graphql/document/limits.ts';
import { times } from '../data.ts';

/** Opens and closes a bracket `count` times. */
export const nested = (depth: number, open: string, close: string) => `${open.repeat(depth)}${close.repeat(depth)}`;
/** Fragments F0, F1, … on the query type. */
const fragments = (count: number, body: (n: number) => string) =>
  times(count, (n) => `fragment F${n} on Query { ${body(n)} }`).join(' ');

/** Documents beyond a limit. */
export const TOO_COMPLEX: Record<string, string> = {
  '2,000 aliases': `{ ${times(2_000, (n) => `a${n}: __typename`).join(' ')} }`,
  'one alias over the limit': `{ ${times(DOCUMENT_LIMITS.aliases + 1, (n) => `a${n}: __typename`).join(' ')} }`,
  '2,000 nested aliases': `{ viewer { ${times(2_000, (n) => `a${n}: keyName`).join(' ')} } }`,
  'fields 20,000 deep': nested(20_000, '{a', '}'),
  'fields 21 deep': deep(21),
  'a list that nests one level too deep': listNested(DOCUMENT_LIMITS.nesting + 1),
  'a list 5,000 deep': `{ members(search: ${nested(5_000, '[', ']')}) { edges { cursor } } }`,
  'an object 5,000 deep': `{ members(search: ${nested(5_000, '{a:', '}').replace(':}', ':1}')}) { edges { cursor } } }`,
  'a type 5,000 deep': `query ($a: ${nested(5_000, '[', ']').replace('[]', '[Int]')}) { viewer { keyName } }`,
  'depth hidden in fragments': `{ ...F0 } ${hiddenDepth(40)}`,
  'fragments that double at every level': `{ members(first: 1) { edges { node { ...M0 } } } } ${doubling(5)}`,
  'one field 5,000 times': `{ ${'viewer { keyName } '.repeat(5_000)} }`,
  'one field 3,000 times': `{ ${'__typename '.repeat(3_000)} }`,
  'one field 1,500 times, in fragments': `{ ${times(90, (n) => `...F${n}`).join(' ')} } ${fragments(90, () => '__typename '.repeat(17))}`,
  'one nested field 1,001 times': `{ viewer { ${'keyName '.repeat(DOCUMENT_LIMITS.fields + 1)} } }`,
  '3,000 directives on one field': `{ viewer { keyName ${'@skip(if: false) '.repeat(3_000)} } }`,
  '51 directives': `{ viewer { ${times(51, () => 'keyName @include(if: true)').join(' ')} } }`,
  '1,000 unknown directives': `{ viewer { keyName ${'@a '.repeat(1_000)} } }`,
  '101 fragments': `{ ...F0 } ${fragments(101, (n) => (n === 100 ? '__typename' : `...F${n + 1}`))}`,
  '101 fields with the same name and arguments': `{ ${'member(id: "a") { id } '.repeat(101)} }`,
  '101 fields with the same name and selections': `{ ${'viewer { keyName } '.repeat(101)} }`,
  'an alias of 256 characters': `{ ${'a'.repeat(256)}: __typename }`,
  '__typename six times for 10,000 records': `{ departments(first: 100) { edges { node { members(first: 100) { edges { node { id a: id ${times(6, (n) => `b${n}: __typename`).join(' ')} } } } } } } }`,
  'one column under six aliases for 10,000 records': `{ departments(first: 100) { edges { node { members(first: 100) { edges { node { ${times(6, (n) => `a${n}: firstName`).join(' ')} } } } } } } }`,
  '3,000 variables': `query (${times(3_000, (n) => `$v${n}: Int`).join(' ')}) { viewer { keyName } }`,
  'pages of pages':
    '{ departments(first: 100) { edges { node { members(first: 100) { edges { node { tags { id } } } } } } } }',
  'pages of pages, by a variable':
    'query ($n: Int = 100) { departments(first: $n) { edges { node { members(last: $n) { edges { node { tags { id } } } } } } } }',
  'pages of pages, in fragments':
    '{ departments(first: 100) { edges { node { ...D } } } } fragment D on Department { members(first: 100) { edges { node { ...M } } } } fragment M on Member { tags { id } }',
  'many large lists': `{ ${times(50, (n) => `a${n}: departments(first: 100) { edges { node { members(first: 100) { edges { cursor } } } } }`).join(' ')} }`,
};

/** A document whose braces, parentheses and brackets together nest to this depth. */
function listNested(levels: number): string {
  return `{ members(search: ${nested(levels - 2, '[', ']')}) { edges { cursor } } }`;
}

/** Nested fields with this depth, and a single record at each level. */
function deep(levels: number): string {
  const round = ['responses(first: 1)', 'edges', 'node', 'form'];
  const fields = ['forms(first: 1)', 'edges', 'node', ...times(levels, (n) => round[n % 4])].slice(0, levels - 1);
  return `{ ${fields.join(' { ')} { __typename ${'} '.repeat(levels)}`;
}

/** Fragments that each spread the next one twice. */
function doubling(count: number): string {
  const twice = (field: string) => `a: ${field} b: ${field}`;
  const step = (n: number) => `
    fragment M${n} on Member { ${twice(`departments { ...D${n} }`)} }
    fragment D${n} on Department { ${twice(`members(first: 1) { edges { node { ...M${n + 1} } } }`)} }`;
  return `${times(count, step).join(' ')} fragment M${count} on Member { id }`;
}

/** A deep operation in which every part of the document is shallow. */
function hiddenDepth(count: number): string {
  const step = (n: number) =>
    n % 2 === 0
      ? `fragment F${n} on ${n === 0 ? 'Query' : 'Member'} { departments ${n === 0 ? '{ edges { node { ...F1 } } }' : `{ ...F${n + 1} }`} }`
      : `fragment F${n} on Department { members { edges { node { ...F${n + 1} } } } }`;
  return `${times(count, step).join(' ')} fragment F${count} on ${count % 2 ? 'Department' : 'Member'} { id }`;
}

/** Documents with syntax or validation errors. */
export const INVALID: Record<string, string> = {
  'a fragment that spreads itself': '{ ...F } fragment F on Query { ...F }',
  'a fragment cycle': '{ ...F0 } fragment F0 on Query { ...F1 } fragment F1 on Query { viewer { keyName } ...F0 }',
  'an unused fragment cycle': '{ viewer { keyName } } fragment A on Query { ...B } fragment B on Query { ...A }',
  'a nested fragment cycle':
    '{ ...F } fragment F on Query { events { ...G } } fragment G on EventConnection { edges { ...H } } fragment H on EventEdge { ... { ...H } }',
  nothing: '',
  'a space': ' ',
  'text that is not GraphQL': 'SELECT 1',
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
  'two operations without operationName': 'query A { __typename } query B { __typename }',
  'cyclic introspection':
    '{ __type(name: "Member") { fields { type { fields { type { fields { type { fields { name } } } } } } } } }',
};
