import { times } from '../support/data.ts';
import type { HttpRequest } from '../support/load/http-client.ts';
import type { Attack, Phase } from './attack.ts';
import { generateDocuments } from './generated-requests.ts';
import { LARGE_ANSWER } from './phases/documents.ts';

const ORDINARY = 4_000;
/** The number of documents that the service caches. */
const DOCUMENTS = 1_000;
const GENERATED = 2_000;
/** Fields per document, so that this number of documents fills the cache. */
const FILLERS = 'tags { id } '.repeat(12);

const PATHS = [
  'members?limit=25',
  'members?q=an',
  'tags',
  'departments',
  'forms',
  'events',
  'services',
  'designations',
];
const PAGES = ['/', '/docs', '/docs/graphql', '/openapi.json', '/readyz', '/graphql', '/developer/sign-in'];

/** Ordinary requests until code is compiled, caches are full, and memory usage is normal. */
export const warmUp: Phase = {
  name: 'warm-up',
  about: 'ordinary requests',
  async run(attack) {
    await attack.sendConcurrently(ordinary(attack), '');
    await attack.sendConcurrently(generateDocuments(attack.target, attack.seed - 1, GENERATED), '');
    const large = attack.graphql('a large response', LARGE_ANSWER);
    await attack.sendConcurrently(
      times(40, () => large),
      '',
      4,
    );
  },
};

function* ordinary({ rest, graphql }: Attack): Iterable<HttpRequest> {
  for (let n = 0; n < ORDINARY; n++) yield rest('a list', 'GET', `/v1/${PATHS[n % PATHS.length]}`);
  for (let n = 0; n < ORDINARY / 4; n++) {
    yield rest('a wrong request', 'POST', '/v1/members', JSON.stringify({ first_name: n }));
    yield { name: 'a page', path: PAGES[n % PAGES.length] as string };
    const body = JSON.stringify({ description: `Rain ${n}` });
    yield rest('a prayer request', 'POST', '/v1/prayer-requests', body);
  }
  const fields = 'id firstName lastName emailAddress phoneNumber address city tags { id name } departments { id name }';
  for (let n = 0; n < DOCUMENTS; n++) {
    const query = `query Ordinary${n} { members(first: 5) { edges { node { ${fields} a${n}: country ${FILLERS}} } pageInfo { hasNextPage endCursor } } viewer { keyName scopes } }`;
    yield graphql('a document', query);
    if (n % 2) yield graphql('an invalid document', `{ membres${n} }`);
  }
}
