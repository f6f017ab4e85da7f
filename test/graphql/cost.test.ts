import { expect, it } from 'vitest';
import { appOn } from '../support/apps.ts';
import { graphql } from '../support/graphql.ts';
import { onOneStore } from '../support/service.ts';

const NO_MEMBER = 'mem_00000000000000000000000000';

/** What an operation takes from the budget: what it replaces in REST. */
const COSTS: readonly [cost: number, name: string, query: string, variables?: Record<string, unknown>][] = [
  [1, 'one field', '{ viewer { keyName } }'],
  [1, 'one list, whatever its page', '{ members(first: 100) { edges { node { id } } pageInfo { hasNextPage } } }'],
  [1, 'one record', `{ member(id: "${NO_MEMBER}") { id } }`],
  [1, 'one node', `{ node(id: "${NO_MEMBER}") { id } }`],
  [1, 'many nodes', `{ nodes(ids: ["${NO_MEMBER}", "x", "y"]) { id } }`],
  [3, 'three fields', '{ viewer { keyName } events { edges { cursor } } tags { edges { cursor } } }'],
  [
    3,
    'one field under three names',
    '{ a: events { edges { cursor } } b: events { edges { cursor } } events { edges { cursor } } }',
  ],
  [
    1,
    'one field written three times',
    '{ events { edges { cursor } } events { pageInfo { endCursor } } events { __typename } }',
  ],
  [2, 'a nested connection', '{ departments { edges { node { members { edges { node { id } } } } } } }'],
  [
    2,
    'a nested connection, whatever its page',
    '{ departments(first: 100) { edges { node { members(first: 100) { edges { node { id } } } } } } }',
  ],
  [
    3,
    'a nested connection under two names',
    '{ departments { edges { node { a: members { edges { cursor } } b: members { edges { cursor } } } } } }',
  ],
  [
    2,
    'a nested connection written twice',
    '{ departments { edges { node { members { edges { cursor } } members { pageInfo { endCursor } } } } } }',
  ],
  [2, 'the tags of members', '{ members { edges { node { tags { id } } } } }'],
  [2, 'the departments of members', '{ members { edges { node { departments { id } } } } }'],
  [2, 'the responses of forms', '{ forms { edges { node { responses { edges { node { id } } } } } } }'],
  [
    3,
    'departments, members and tags',
    '{ departments(first: 20) { edges { node { members(first: 50) { edges { node { tags { id } } } } } } } }',
  ],
  [1, 'the fields of forms', '{ forms { edges { node { fields { id options { value } } } } } }'],
  [1, 'the heads of departments', '{ departments { edges { node { headOfDepartment { id } memberIds } } } }'],
  [
    1,
    'the form of a response',
    '{ formResponse(formId: 1, id: "x") { form { title } answers { field { question } } } }',
  ],
  [1, 'the key of the request', '{ viewer { key { name } organization { name } } }'],
  [
    2,
    'the usage of the key, whatever its page',
    '{ viewer { key { usage(first: 100) { edges { node { scopes { scope } } } } } } }',
  ],
  [
    3,
    'the usage of the key and its audit',
    '{ viewer { key { usage { edges { cursor } } auditEntries { edges { cursor } } } } }',
  ],
  [1, 'the dates of events', '{ events { edges { node { dates { date } } } } }'],
  [1, 'introspection alone', '{ __schema { types { name } } __type(name: "Member") { name } __typename }'],
  [1, 'introspection beside a field', '{ __typename __schema { types { name } } viewer { keyName } }'],
  [1, 'a field beside one that is skipped', '{ viewer { keyName } events @skip(if: true) { edges { cursor } } }'],
  [
    1,
    'a field beside one that is not included',
    'query ($yes: Boolean!) { viewer { keyName } events @include(if: $yes) { edges { cursor } } }',
    { yes: false },
  ],
  [
    2,
    'a field beside one that is included',
    'query ($yes: Boolean!) { viewer { keyName } events @include(if: $yes) { edges { cursor } } }',
    { yes: true },
  ],
  [
    1,
    'a field beside one that a default does not include',
    'query ($yes: Boolean! = false) { viewer { keyName } events @include(if: $yes) { edges { cursor } } }',
  ],
  [
    1,
    'a field beside one that a default skips',
    'query ($no: Boolean = true) { viewer { keyName } events @skip(if: $no) { edges { cursor } } }',
  ],
  [
    2,
    'a field beside one that a default includes',
    'query ($yes: Boolean = true) { viewer { keyName } events @include(if: $yes) { edges { cursor } } }',
  ],
  [1, 'a list without its nested one, skipped', '{ members { edges { node { id tags @skip(if: true) { id } } } } }'],
  [1, 'nothing but what is skipped', '{ events @skip(if: true) { edges { cursor } } }'],
  [
    1,
    'a list without a fragment, skipped',
    '{ members { edges { node { ...F @skip(if: true) } } } } fragment F on Member { tags { id } }',
  ],
  [
    2,
    'a field in two fragments, and another',
    '{ ...A ...B ...A } fragment A on Query { events { edges { cursor } } } fragment B on Query { ...A tags { edges { cursor } } }',
  ],
  [
    2,
    'a nested list in a fragment and beside it',
    '{ members { edges { node { ...F tags { name } } } } } fragment F on Member { tags { id } }',
  ],
  [2, 'a nested list in an inline fragment', `{ node(id: "${NO_MEMBER}") { ... on Member { tags { id } } } }`],
  [
    1,
    'one of two operations',
    'query A { viewer { keyName } } query B { a: viewer { keyName } b: viewer { keyName } }',
  ],
  [1, 'one mutation', `mutation { updateMember(input: { id: "${NO_MEMBER}" }) { member { id } } }`],
  [
    3,
    'three mutations',
    `mutation { a: updateMember(input: { id: "x" }) { member { id } } b: updateMember(input: { id: "x" }) { member { id } } submitPrayerRequest(input: { description: " " }) { prayerRequest { id } } }`,
  ],
  [2, 'a mutation and a nested list', 'mutation { updateMember(input: { id: "x" }) { member { tags { id } } } }'],
  [
    1,
    'the tags that a change of tags answers',
    'mutation { updateMemberTags(input: { id: "x" }) { tags { id } ignoredTagIds } }',
  ],
];

onOneStore((service) => {
  it.each(COSTS)('takes %d for %s', async (cost, _name, query, variables) => {
    const app = appOn(service, { limit: 120 });
    const ask = graphql(app, (await service.organization({ app })).key);
    const operationName = query.startsWith('query A') ? 'A' : undefined;
    const answer = await ask.post({ query, variables, operationName });
    expect(answer.status).toBe(200);
    expect(answer.json.extensions.rateLimit).toMatchObject({ cost, remaining: 120 - cost });
    expect(answer.headers.get('X-RateLimit-Remaining')).toBe(String(120 - cost));
  });
});
