import { times } from '../data.ts';

const LEVELS = 40;

/** Fragments that each spread the next one several times: the number of selected fields doubles with each level. */
const chain = (type: string, body: (next: string) => string, end: string) =>
  times(LEVELS, (n) => `fragment F${n} on ${type} { ${n === LEVELS - 1 ? end : body(`F${n + 1}`)} }`).join(' ');

const tags = (fragments: string) => `{ tags { edges { node { ...F0 } } } } ${fragments}`;
const members = (fragments: string) => `{ members(first: 1) { edges { node { ...F0 } } } } ${fragments}`;

/** Documents with such fragments, which must be executed or rejected quickly. */
export const DOUBLING_DOCUMENTS: Readonly<Record<string, string>> = {
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
  'spread twice below the same alias': members(
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
