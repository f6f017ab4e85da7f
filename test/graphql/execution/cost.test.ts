import { expect, it } from 'vitest';
import { appOn } from '../../support/apps.ts';
import { graphql } from '../../support/graphql.ts';
import { onOneStore } from '../../support/service.ts';

/** Operations by their costs in points. */
const OPERATIONS: Readonly<Record<number, readonly string[]>> = {
  1: [
    '{ viewer { key { name } organization { name } } }',
    '{ members(first: 100) { edges { node { id } } pageInfo { hasNextPage } } }',
    '{ member(id: "mem_x") { id } }',
    '{ nodes(ids: ["mem_x", "x", "y"]) { id } }',
    '{ events { edges { cursor } } events { pageInfo { endCursor } } events { __typename } }',
    '{ formResponse(formId: 1, id: "x") { form { title } answers { field { question } } } }',
    '{ __schema { types { name } } __type(name: "Member") { name } __typename }',
    '{ __typename __schema { types { name } } viewer { keyName } }',
    '{ events @skip(if: true) { edges { cursor } } }',
    'query ($yes: Boolean! = false) { viewer { keyName } events @include(if: $yes) { edges { cursor } } }',
    '{ members { edges { node { ...F @skip(if: true) } } } } fragment F on Member { tags { id } }',
    'query A { viewer { keyName } } query B { a: viewer { keyName } b: viewer { keyName } }',
    'mutation { updateMember(input: { id: "mem_x" }) { member { id } } }',
    'mutation { updateMemberTags(input: { id: "x" }) { tags { id } ignoredTagIds } }',
  ],
  2: [
    '{ departments(first: 100) { edges { node { members(first: 100) { edges { node { id } } } } } } }',
    '{ departments { edges { node { members { edges { cursor } } members { pageInfo { endCursor } } } } } }',
    'query ($yes: Boolean = true) { viewer { keyName } events @include(if: $yes) { edges { cursor } } }',
    '{ ...A ...B ...A } fragment A on Query { events { edges { cursor } } } fragment B on Query { ...A tags { edges { cursor } } }',
    '{ members { edges { node { ...F tags { name } } } } } fragment F on Member { tags { id } }',
    '{ node(id: "mem_x") { ... on Member { tags { id } } } }',
    'mutation { updateMember(input: { id: "x" }) { member { tags { id } } } }',
  ],
  3: [
    '{ viewer { keyName } events { edges { cursor } } tags { edges { cursor } } }',
    '{ a: events { edges { cursor } } b: events { edges { cursor } } events { edges { cursor } } }',
    '{ departments { edges { node { a: members { edges { cursor } } b: members { edges { cursor } } } } } }',
    '{ departments(first: 20) { edges { node { members(first: 50) { edges { node { tags { id } } } } } } } }',
    '{ viewer { key { usage { edges { cursor } } auditEntries { edges { cursor } } } } }',
    'mutation { a: updateMember(input: { id: "x" }) { member { id } } b: updateMember(input: { id: "x" }) { member { id } } submitPrayerRequest(input: { description: " " }) { prayerRequest { id } } }',
  ],
};

const CASES = Object.entries(OPERATIONS).flatMap(([cost, queries]) =>
  queries.map((query) => ({ cost: Number(cost), query })),
);

onOneStore((service) => {
  it.each(CASES)('charges $cost for $query', async ({ cost, query }) => {
    const app = appOn(service, { limit: 120 });
    const ask = graphql(app, (await service.organization({ app })).key);
    const answer = await ask.post({ query, operationName: query.startsWith('query A') ? 'A' : undefined });
    expect(answer.status).toBe(200);
    expect(answer.json.extensions.rateLimit).toMatchObject({ cost, remaining: 120 - cost });
    expect(answer.headers.get('X-RateLimit-Remaining')).toBe(String(120 - cost));
  });
});
