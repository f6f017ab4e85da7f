import { times } from '../../support/data.ts';
import type { HttpRequest } from '../../support/load/http-client.ts';
import type { Attack, Phase } from '../attack.ts';

/** As many requests at once as the default limit of a key allows. */
const AT_ONCE = 118;

const object = (count: number) => Object.fromEntries(times(count, (n) => [`unknown${n}`, n]));
const CREATE = 'mutation ($input: CreateMemberInput!) { createMember(input: $input) { record { id } } }';
const CONDITIONS = 49;
const MANY_CONDITIONS = `query (${times(CONDITIONS, (n) => `$b${n}: Boolean!`).join(' ')}) { ${times(
  33,
  (n) => `n${n}: node(id: "x") { ${times(20, (m) => `f${m}: id @include(if: $b${(n + m) % CONDITIONS})`).join(' ')} }`,
).join(' ')} }`;

type Bursts = Readonly<Record<string, (attack: Attack, n: number) => HttpRequest>>;

/** Requests that were slow to check before they were charged, or that are large together. */
const BURSTS: Bursts = {
  'unknown fields of a variable': ({ graphql }, n) => graphql(`unknown fields ${n}`, CREATE, { input: object(1_900) }),
  'more fields than JSON may have': ({ graphql }, n) => graphql(`fields ${n}`, CREATE, { input: object(5_500) }),
  'conditions with other values': ({ graphql }, n) =>
    graphql(
      `conditions ${n}`,
      MANY_CONDITIONS,
      Object.fromEntries(times(CONDITIONS, (m) => [`b${m}`, ((n >> (m % 7)) & 1) === 1])),
    ),
  'lists of ids': ({ graphql }, n) =>
    graphql(`ids ${n}`, 'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', {
      ids: times(1_900, (m) => `mem_${n}_${m}`),
    }),
  'documents with many fragments': ({ graphql }, n) =>
    graphql(
      `fragments ${n}`,
      `{ ...F0 } ${times(90, (f) => `fragment F${f} on Query { ${f === 89 ? '__typename' : `...F${f + 1}`} a${n}: __typename }`).join(' ')}`,
    ),
  'lists of medium size': ({ graphql }, n) =>
    graphql(
      `lists ${n}`,
      `{ members(first: 100) { nodes { ${times(30, (m) => `a${m}: firstName`).join(' ')} } } } # ${n % 2}`,
    ),
  'unknown fields in REST': ({ rest }, n) => rest(`REST ${n}`, 'POST', '/v1/members', JSON.stringify(object(1_900))),
  'more fields than JSON may have, in REST': ({ rest }, n) =>
    rest(`REST fields ${n}`, 'POST', '/v1/members', JSON.stringify(object(5_500))),
  'parameters of a query string': ({ rest }, n) =>
    rest(`parameters ${n}`, 'GET', `/v1/members?${'q=&'.repeat(3_000)}n=${n}`),
};

/** The requests that take longest before they are charged, as many at once as a key may send in a minute. */
export const bursts: Phase = {
  name: 'bursts',
  about: 'requests that are slow to check or large together, all those of a minute at once',
  async run(attack) {
    for (const [name, request] of Object.entries(BURSTS)) {
      const requests = times(AT_ONCE, (n) => request(attack, n));
      await attack.sendConcurrently(requests, `npm run test:attacks -- --only bursts (${name})`, AT_ONCE);
    }
  },
};
