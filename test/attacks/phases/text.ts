import { times } from '../../support/data.ts';
import { named } from '../../support/documents/worst-documents.ts';
import type { HttpRequest } from '../../support/load/http-client.ts';
import type { Attack, Phase } from '../attack.ts';

/** Combining marks that normalization must sort. */
const marks = (count: number) => `a${'\u0300'.repeat(count)}${'\u0316'.repeat(count)}`;
/** The maximum numbers in a body, and in a URL or form with six characters each. */
const LONG = marks(24_500);
const SHORT = marks(1_200);
/** Runs within the limit of consecutive marks, separated by letters. */
const RUNS = marks(50).repeat(480);
const SEARCHES = 55;
const UNKNOWN_FIELDS = 6_000;

const CREATE = 'mutation ($input: CreateMemberInput!) { createMember(input: $input) { member { id } } }';
const SUBMIT = 'mutation ($i: SubmitPrayerRequestInput!) { submitPrayerRequest(input: $i) { prayerRequest { id } } }';

/** Text that is expensive to normalize, compare or echo. */
export const text: Phase = {
  name: 'text',
  about: 'tens of thousands of combining marks, thousands of unknown fields',
  run: (attack) => attack.sendSequentially(requests(attack)),
};

function requests({ graphql, rest, target }: Attack): HttpRequest[] {
  const member = (fields: object) =>
    JSON.stringify({ first_name: 'A', last_name: 'B', email_address: 'a@example.org', ...fields });
  const unknown = Object.fromEntries(times(UNKNOWN_FIELDS, (n) => [`f${n}`, n]));
  const search = (alias: string) =>
    `query ($s: String) ${named(SEARCHES, () => `${alias}(search: $s, first: 1) { edges { cursor } }`)}`;
  const id = target.surroundings.parameters.object_id;
  const texts = Object.entries({ 'marks in one row': LONG, 'marks in many rows': RUNS });
  return [
    ...texts.flatMap(([kind, value]) => [
      rest(`${kind} as first_name`, 'POST', '/v1/members', member({ first_name: value })),
      rest(`${kind} as email_address`, 'POST', '/v1/members', member({ email_address: `${value}@example.org` })),
      rest(`${kind} as phone_number`, 'POST', '/v1/members', member({ phone_number: value })),
      rest(`${kind} as the name of a field`, 'POST', '/v1/members', member({ [value]: 1 })),
      rest(`${kind} as city`, 'PATCH', `/v1/members/${id}`, JSON.stringify({ city: value })),
      rest(`${kind} as description`, 'POST', '/v1/prayer-requests', JSON.stringify({ description: value })),
      graphql(`${kind} as firstName`, CREATE, {
        input: { firstName: value, lastName: 'B', emailAddress: 'a@example.org' },
      }),
      graphql(`${kind} as description`, SUBMIT, { i: { description: value } }),
      graphql(`${kind} in ${SEARCHES} searches of members`, search('members'), { s: value }),
      graphql(`${kind} in ${SEARCHES} searches of events`, search('events'), { s: value }),
      graphql(`${kind} as a literal`, `{ members(search: ${JSON.stringify(value)}) { edges { cursor } } }`),
      graphql(`${kind} as an id`, 'query ($i: ID!) { node(id: $i) { id } }', { i: value }),
      graphql(`${kind} as a cursor`, 'query ($c: String) { members(after: $c) { edges { cursor } } }', { c: value }),
      { ...graphql(`${kind} as an operation name`, '{ viewer { keyName } }'), body: operationNamed(value) },
    ]),
    rest('marks as q', 'GET', `/v1/members?q=${encodeURIComponent(SHORT)}`),
    rest('marks as cursor', 'GET', `/v1/members?cursor=${encodeURIComponent(SHORT)}`),
    rest('marks as the name of a parameter', 'GET', `/v1/members?${encodeURIComponent(SHORT)}=1`),
    rest('marks as an id', 'GET', `/v1/members/${encodeURIComponent(SHORT)}`),
    ...['name', 'password'].map((field) => signIn(`marks as ${field} in sign-in`, { [field]: SHORT })),
    ...['name', 'password'].map((field) => signIn(`a long ${field} in sign-in`, { [field]: 'x'.repeat(16_000) })),
    rest('unknown fields', 'POST', '/v1/members', member(unknown)),
    rest('unknown fields of a change', 'PATCH', `/v1/members/${id}`, JSON.stringify(unknown)),
    rest('unknown parameters', 'GET', `/v1/members?${times(3_000, (n) => `f${n}`).join('&')}`),
    rest('a parameter over and over', 'GET', `/v1/members?${times(3_000, () => 'q=a').join('&')}`),
    graphql('unknown fields of an input', CREATE, { input: unknown }),
    graphql('variables that no operation has', '{ viewer { keyName } }', unknown),
    {
      ...graphql('unknown fields of the request', ''),
      body: JSON.stringify({ query: '{ viewer { keyName } }', ...unknown }),
    },
    rest(
      'ids of tags',
      'PATCH',
      `/v1/members/${id}/tags`,
      JSON.stringify({ add: times(UNKNOWN_FIELDS, (n) => `tag_${n}`) }),
    ),
    rest(
      'a description that grows when it is normalized',
      'POST',
      '/v1/prayer-requests',
      JSON.stringify({ description: '\ufb2c'.repeat(33_000) }),
    ),
  ];
}

function operationNamed(operationName: string): string {
  return JSON.stringify({ query: '{ viewer { keyName } }', operationName });
}

function signIn(name: string, fields: Record<string, string>): HttpRequest {
  return {
    name,
    method: 'POST',
    path: '/developer/sign-in',
    headers: [['Content-Type', 'application/x-www-form-urlencoded']],
    body: new URLSearchParams({ name: 'a@example.org', password: 'b', ...fields }).toString(),
  };
}
