import { MAX_PAGE_SIZE } from '../../../src/domain/lists/page.ts';
import { DOCUMENT_LIMITS } from '../../../src/graphql/document/parse.ts';
import { times } from '../../support/data.ts';
import { nested } from '../../support/documents/hostile-documents.ts';
import { named } from '../../support/documents/worst-documents.ts';
import type { Attack, Phase } from '../attack.ts';
import type { HttpRequest } from '../client.ts';

const ALIASES = DOCUMENT_LIMITS.aliases;
/** Aliases at each of two levels: together as many as the limit allows. */
const ALIASES_PER_LEVEL = ALIASES / 2;
/** Close to what the record limit allows for the selection of all types; more would be refused before execution. */
const ALIASES_OF_ALL_TYPES = 10;
/** Levels and values of a literal, slightly below the limits of the whole document. */
const LITERAL_LEVELS = DOCUMENT_LIMITS.nesting - 5;
const LITERAL_VALUES = DOCUMENT_LIMITS.tokens - 100;
const LONG = 'x'.repeat(90_000);

const SERVICE = {
  'the schema under many aliases': `{ _service { ${times(ALIASES, (n) => `a${n}: sdl`).join(' ')} } }`,
  'the service under many aliases': named(ALIASES, () => '_service { sdl }'),
  'the schema under many aliases of the service': `${named(ALIASES_PER_LEVEL, () => '_service { ...F }')} fragment F on _Service { ${times(ALIASES_PER_LEVEL, (n) => `b${n}: sdl`).join(' ')} }`,
};

const entities = (aliases: number, selection: string) =>
  `query ($r: [_Any!]!) ${named(aliases, () => `_entities(representations: $r) { ${selection} }`)}`;

const SELECTIONS = {
  'type names only': entities(ALIASES, '__typename'),
  members: entities(ALIASES, '... on Member { id firstName }'),
  'fragments of all types': entities(
    ALIASES_OF_ALL_TYPES,
    '... on Member { id } ... on Department { id memberIds } ... on Tag { id } ... on Form { id fields { id } } ... on Node { id }',
  ),
  'nested lists': entities(
    2,
    '... on Member { tags { id } } ... on Department { members(first: 50) { nodes { id } } }',
  ),
};

const LITERALS = {
  'nested lists': nested(LITERAL_LEVELS, '[', ']'),
  'nested objects': `${'{a:'.repeat(LITERAL_LEVELS)}1${'}'.repeat(LITERAL_LEVELS)}`,
  'many numbers': times(LITERAL_VALUES, () => '1').join(),
};

/** The fields that only a subgraph has. */
export const federation: Phase = {
  name: 'federation',
  about: 'the schema and entities under many aliases, representations of any type',
  async run(attack) {
    await attack.sendSequentially(requests(attack));
    await attack.sendSequentially(explained(attack));
  },
};

function requests({ graphql, target }: Attack): HttpRequest[] {
  return [
    ...Object.entries(SERVICE).map(([title, query]) => graphql(title, query)),
    ...Object.entries(representationsOf(target)).flatMap(([title, r]) =>
      Object.entries(SELECTIONS).map(([selection, query]) => graphql(`${selection} of ${title}`, query, { r })),
    ),
    ...Object.entries(LITERALS).map(([title, values]) =>
      graphql(`${title} as literals`, `{ _entities(representations: [${values}]) { __typename } }`),
    ),
  ];
}

function explained({ graphql, target }: Attack): HttpRequest[] {
  return Object.entries(representationsOf(target)).map(([title, r]) => {
    const request = graphql(`${title}, explained`, SELECTIONS['type names only'], { r });
    return { ...request, headers: [...(request.headers ?? []), ['Explain', 'true']] };
  });
}

/** Valid and invalid representations, by description. */
function representationsOf({
  surroundings: { known },
}: Attack['target']): Readonly<Record<string, readonly unknown[]>> {
  const filled = (value: (n: number) => unknown) => times(MAX_PAGE_SIZE, value);
  const [member = ''] = known.filter((id) => id.startsWith('mem_'));
  const departments = known.filter((id) => id.startsWith('dep_'));
  return {
    'one member': filled(() => ({ __typename: 'Member', id: member })),
    departments: filled((n) => ({ __typename: 'Department', id: departments[n % departments.length] })),
    'records of another type': filled(() => ({ __typename: 'Tag', id: member })),
    'unknown records': filled((n) => ({ __typename: 'Member', id: `mem_${n}` })),
    'unknown types': filled(() => ({ __typename: '\0'.repeat(120) })),
    'odd ids': ['mem_\0', 'mem_\ud800', '__proto___a', 'form_9999999999', 'field_-1', `mem_${LONG}`].map((id) => ({
      __typename: 'Member',
      id,
    })),
    'long types': [{ __typename: LONG, id: member }],
    'values that are not objects': [1, 'x', [], null, JSON.parse(nested(1_000, '[', ']'))],
    'inherited properties': [JSON.parse(`{ "__proto__": { "__typename": "Member", "id": "${member}" } }`)],
    'more than the maximum': times(40_000, () => 1),
  };
}
