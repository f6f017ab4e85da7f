import { times } from '../../support/data.ts';
import type { HttpRequest } from '../../support/load/http-client.ts';
import type { Attack, Phase } from '../attack.ts';

const LARGE = 1_500;
const SMALL = 4_000;
const REQUESTS_AT_ONCE = 8;

/** Valid documents, each sent once: caches must have limited memory. */
export const cache: Phase = {
  name: 'cache',
  about: 'thousands of different documents, up to 95 KB, columns and introspection queries',
  run: (attack) =>
    attack.sendConcurrently(
      documents(attack),
      `npm run test:attacks -- --only cache --seed ${attack.seed} (each document is different)`,
      REQUESTS_AT_ONCE,
    ),
};

function* documents({ graphql, seed }: Attack): Iterable<HttpRequest> {
  const comment = '#'.repeat(95_000);
  for (let n = 0; n < LARGE; n++) yield graphql('a document of 95 KB', `{ a${seed}_${n}: __typename } ${comment}`);
  for (let n = 0; n < SMALL; n++) {
    const name = `n${seed}_${n}`;
    const lists = times(10, (m) => `a${m}: tags(first: 1) { nodes { ${name}: id } }`).join(' ');
    yield graphql('a small document', `{ ${lists} __schema { types { ${name}: name } } }`);
  }
}
