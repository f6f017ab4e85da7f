import { getIntrospectionQuery } from 'graphql';
import { DOCUMENT_LIMITS, OPERATION_LIMITS } from '../../../src/graphql/document/limits.ts';
import { times } from '../../support/data.ts';
import { DOUBLING_DOCUMENTS } from '../../support/documents/doubling-documents.ts';
import { INVALID, TOO_COMPLEX } from '../../support/documents/hostile-documents.ts';
import { named, WORST_DOCUMENTS } from '../../support/documents/worst-documents.ts';
import type { Phase } from '../attack.ts';
import { STRESSORS } from '../stressors.ts';

type Documents = Readonly<Record<string, string>>;

const TYPE = 'kind name ofType { kind name ofType { kind name ofType { kind name } } }';
const FIELDS = `fields(includeDeprecated: true) { name description args { name type { ${TYPE} } defaultValue } type { ${TYPE} } }`;

const INTROSPECTION: Documents = {
  'the query of GraphiQL': getIntrospectionQuery({ descriptions: true, inputValueDeprecation: true }),
  'the query of GraphiQL in fragments':
    '{ ...A ...B } fragment A on Query { __schema { types { name } } } fragment B on Query { __schema { types { name description } } }',
  ...Object.fromEntries(
    [2, 5, 20, DOCUMENT_LIMITS.aliases].flatMap((count) => [
      [`__schema ${count} times`, named(count, () => `__schema { types { name ${FIELDS} } }`)],
      [`__type ${count} times`, named(count, () => `__type(name: "Member") { name ${FIELDS} }`)],
      [`directives ${count} times`, named(count, () => `__schema { directives { name args { type { ${TYPE} } } } }`)],
    ]),
  ),
  'types of fields of types': `{ __schema { types { fields { type { fields { type { fields { type { name } } } } } } } } }`,
  'possible types of possible types':
    '{ __schema { types { possibleTypes { interfaces { possibleTypes { interfaces { possibleTypes { name } } } } } } } }',
  'ten aliases of each type': `{ __schema { types { ${times(55, (n) => `a${n}: description`).join(' ')} } } }`,
  'unknown types under many aliases': named(55, (n) => `__type(name: "${'T'.repeat(1_000)}${n}") { name }`),
};

const LONG_NAMES = times(55, (n) => `${'long'.repeat(20)}${n}`);
const EXPENSIVE = ['dateOfBirth', 'createdAt', 'phoneNumber', 'designation', 'tags { id }', 'departments { id name }'];
const wide = (departments: number, members: number, selection: string) =>
  `{ departments(first: ${departments}) { edges { node { members(first: ${members}) { edges { node { ${selection} } } } } } } }`;

/** A response of several MB: departments, their members and many long names. */
export const LARGE_ANSWER = wide(
  60,
  50,
  LONG_NAMES.slice(0, 14)
    .map((name) => `${name}: address`)
    .join(' '),
);

const WIDE: Documents = {
  ...WORST_DOCUMENTS,
  'a large response': LARGE_ANSWER,
  ...Object.fromEntries(
    [1, 3, 10, 55].map((count) => [
      `departments, members and ${count} long names`,
      wide(
        60,
        50,
        LONG_NAMES.slice(0, count)
          .map((name) => `${name}: firstName`)
          .join(' '),
      ),
    ]),
  ),
  ...Object.fromEntries(
    EXPENSIVE.map((field) => [
      `sixty names of ${field}`,
      `{ members(first: 100) { edges { node { ${times(DOCUMENT_LIMITS.aliases, (n) => `a${n}: ${field}`).join(' ')} } } } }`,
    ]),
  ),
  ...Object.fromEntries(
    EXPENSIVE.slice(0, 4).map((field) => [
      `as many names of ${field} as there may be values`,
      wide(100, 100, times(23, (n) => `a${n}: ${field}`).join(' ')),
    ]),
  ),
  'sixty aliases of the answers of responses': `{ forms(first: 20) { edges { node { responses(first: 30) { edges { node { ${times(55, (n) => `a${n}: answers { value }`).join(' ')} } } } } } } }`,
  'sixty aliases of ids of members': `{ departments(first: 60) { edges { node { ${times(DOCUMENT_LIMITS.aliases, (n) => `a${n}: memberIds`).join(' ')} } } } }`,
  'a page of nodes': `{ nodes(ids: [${times(100, (n) => `"mem_${n}"`).join()}]) { id } }`,
};

const MANY_SPREADS: Documents = {
  ...DOUBLING_DOCUMENTS,
  'fragments spread up to the maximum number of selections': `{ ...F0 } ${times(90, (n) => `fragment F${n} on Query { ${times(18, () => (n === 89 ? '__typename' : `...F${n + 1}`)).join(' ')} }`).join(' ')}`,
  'a fragment with the maximum number of fields, spread repeatedly': `{ ${times(Math.floor(OPERATION_LIMITS.selections / 1_000), () => '...F').join(' ')} ...F } fragment F on Query { ${'__typename '.repeat(900)} }`,
  'doubling fragments in members of departments': `{ departments(first: 60) { edges { node { ...F0 } } } } ${times(30, (n) => `fragment F${n} on Department { ${n === 29 ? 'members(first: 50) { edges { node { id } } }' : `...F${n + 1} name ...F${n + 1}`} }`).join(' ')}`,
};

/** All expensive documents, by name. */
export const DOCUMENTS: Documents = { ...INTROSPECTION, ...WIDE, ...MANY_SPREADS, ...STRESSORS };

/** Sends each document twice, since a cached one may behave differently. */
export const documents: Phase = {
  name: 'documents',
  about: 'introspection, wide responses, doubling fragments, and documents that are slow to parse or validate',
  run: ({ sendSequentially, graphql }) =>
    sendSequentially(
      Object.entries({ ...DOCUMENTS, ...TOO_COMPLEX, ...INVALID }).flatMap(([title, query]) => [
        graphql(title, query),
        graphql(`${title}, again`, query),
      ]),
    ),
};
