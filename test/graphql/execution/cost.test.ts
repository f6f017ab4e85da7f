import { expect, it } from 'vitest';
import { appOn } from '../../support/apps.ts';
import { graphql } from '../../support/graphql.ts';
import { onOneStore } from '../../support/service.ts';

const NO_MEMBER = 'mem_00000000000000000000000000';

/** Operations and their costs in points. */
const COSTS: readonly [cost: number, name: string, query: string, variables?: Record<string, unknown>][] = [
  [1, 'one field', '{ viewer { keyName } }'],
  [
    1,
    'one connection, whatever its page size',
    '{ members(first: 100) { edges { node { id } } pageInfo { hasNextPage } } }',
  ],
  [1, 'one record', `{ member(id: "${NO_MEMBER}") { id } }`],
  [1, 'one node', `{ node(id: "${NO_MEMBER}") { id } }`],
  [1, 'many nodes', `{ nodes(ids: ["${NO_MEMBER}", "x", "y"]) { id } }`],
  [3, 'three fields', '{ viewer { keyName } events { edges { cursor } } tags { edges { cursor } } }'],
  [
    3,
    'one field with three aliases',
    '{ a: events { edges { cursor } } b: events { edges { cursor } } events { edges { cursor } } }',
  ],
  [
    1,
    'one field selected three times',
    '{ events { edges { cursor } } events { pageInfo { endCursor } } events { __typename } }',
  ],
  [2, 'a nested connection', '{ departments { edges { node { members { edges { node { id } } } } } } }'],
  [
    2,
    'a nested connection, whatever its page size',
    '{ departments(first: 100) { edges { node { members(first: 100) { edges { node { id } } } } } } }',
  ],
  [
    3,
    'a nested connection with two aliases',
    '{ departments { edges { node { a: members { edges { cursor } } b: members { edges { cursor } } } } } }',
  ],
  [
    2,
    'a nested connection selected twice',
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
    'the usage of the key, whatever its page size',
    '{ viewer { key { usage(first: 100) { edges { node { scopes { scope } } } } } } }',
  ],
  [
    3,
    'the usage and the audit entries of the key',
    '{ viewer { key { usage { edges { cursor } } auditEntries { edges { cursor } } } } }',
  ],
  [1, 'the dates of events', '{ events { edges { node { dates { date } } } } }'],
  [1, 'introspection only', '{ __schema { types { name } } __type(name: "Member") { name } __typename }'],
  [1, 'introspection and a field', '{ __typename __schema { types { name } } viewer { keyName } }'],
  [1, 'a field and a skipped field', '{ viewer { keyName } events @skip(if: true) { edges { cursor } } }'],
  [
    1,
    'a field and one that is not included',
    'query ($yes: Boolean!) { viewer { keyName } events @include(if: $yes) { edges { cursor } } }',
    { yes: false },
  ],
  [
    2,
    'a field and one that is included',
    'query ($yes: Boolean!) { viewer { keyName } events @include(if: $yes) { edges { cursor } } }',
    { yes: true },
  ],
  [
    1,
    'a field and one that is not included by a default value',
    'query ($yes: Boolean! = false) { viewer { keyName } events @include(if: $yes) { edges { cursor } } }',
  ],
  [
    1,
    'a field and one that is skipped by a default value',
    'query ($no: Boolean = true) { viewer { keyName } events @skip(if: $no) { edges { cursor } } }',
  ],
  [
    2,
    'a field and one that is included by a default value',
    'query ($yes: Boolean = true) { viewer { keyName } events @include(if: $yes) { edges { cursor } } }',
  ],
  [1, 'a list with a skipped nested list', '{ members { edges { node { id tags @skip(if: true) { id } } } } }'],
  [1, 'only a skipped field', '{ events @skip(if: true) { edges { cursor } } }'],
  [
    1,
    'a list with a nested list in a skipped fragment',
    '{ members { edges { node { ...F @skip(if: true) } } } } fragment F on Member { tags { id } }',
  ],
  [
    2,
    'a field in two fragments, and another field',
    '{ ...A ...B ...A } fragment A on Query { events { edges { cursor } } } fragment B on Query { ...A tags { edges { cursor } } }',
  ],
  [
    2,
    'a nested list both inside and outside of a fragment',
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
    'the tags in the payload of updateMemberTags',
    'mutation { updateMemberTags(input: { id: "x" }) { tags { id } ignoredTagIds } }',
  ],
];

onOneStore((service) => {
  it.each(COSTS)('charges %d for %s', async (cost, _name, query, variables) => {
    const app = appOn(service, { limit: 120 });
    const ask = graphql(app, (await service.organization({ app })).key);
    const operationName = query.startsWith('query A') ? 'A' : undefined;
    const answer = await ask.post({ query, variables, operationName });
    expect(answer.status).toBe(200);
    expect(answer.json.extensions.rateLimit).toMatchObject({ cost, remaining: 120 - cost });
    expect(answer.headers.get('X-RateLimit-Remaining')).toBe(String(120 - cost));
  });
});
