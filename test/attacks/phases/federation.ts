import { MAX_PAGE_SIZE } from '../../../src/domain/lists/page.ts';
import { DOCUMENT_LIMITS } from '../../../src/graphql/document/limits.ts';
import { times } from '../../support/data.ts';
import { nested } from '../../support/documents/hostile-documents.ts';
import { named } from '../../support/documents/worst-documents.ts';
import type { Attack, Phase } from '../attack.ts';

const ALIASES = DOCUMENT_LIMITS.aliases;
const LONG = 'x'.repeat(90_000);

const entities = (aliases: number, selection: string) =>
  `query ($r: [_Any!]!) ${named(aliases, () => `_entities(representations: $r) { ${selection} }`)}`;

const SELECTIONS = {
  'type names only': entities(ALIASES, '__typename'),
  members: entities(ALIASES, '... on Member { id firstName }'),
  'nested lists': entities(
    2,
    '... on Member { tags { id } } ... on Department { members(first: 50) { nodes { id } } }',
  ),
};

/** The fields that only a subgraph has. */
export const federation: Phase = {
  name: 'federation',
  about: 'the schema and entities under many aliases, representations of any type',
  run: ({ sendSequentially, graphql, target }) =>
    sendSequentially([
      graphql('the schema under many aliases', `{ _service { ${times(ALIASES, (n) => `a${n}: sdl`).join(' ')} } }`),
      ...Object.entries(representationsOf(target)).flatMap(([title, r]) =>
        Object.entries(SELECTIONS).map(([selection, query]) => graphql(`${selection} of ${title}`, query, { r })),
      ),
    ]),
};

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
    'odd ids': ['mem_\0', 'mem_\ud800', '__proto___a', `mem_${LONG}`].map((id) => ({ __typename: 'Member', id })),
    'long types': [{ __typename: LONG, id: member }],
    'values that are not objects': [1, 'x', [], null, JSON.parse(nested(1_000, '[', ']'))],
    'more than the maximum': times(40_000, () => 1),
  };
}
