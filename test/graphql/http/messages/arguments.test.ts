import { onOneStore } from '../../../support/service.ts';
import { create, describeHints, describeMessages, type Mistakes } from './mistakes.ts';

const HINTS: Mistakes = {
  'an unknown argument': [
    ['{ members(q: "a") { totalCount } }', 'Did you mean "search"?'],
    ['{ members(limit: 5) { totalCount } }', 'Did you mean "first"? A page has 1 to 100 records.'],
    [
      '{ members(page: 2) { totalCount } }',
      'Did you mean "after"? It is the "endCursor" of the previous page; the first page has none.',
    ],
    ['{ members(isGuest: true) { totalCount } }', 'Did you mean "filter: { isGuest: … }"?'],
    ['mutation { createMember(firstName: "A") { record { id } } }', 'Did you mean "input: { firstName: … }"?'],
    ['{ members(ids: []) { totalCount } }', 'Read records by id with the query "nodes".'],
    [
      '{ tags(filter: {}) { totalCount } }',
      '"Query.tags" has the arguments after, before, first, last, orderBy, search.',
    ],
    ['{ member(mail: "x") { id } }', 'Did you mean "members(filter: { emailAddress: … })" or "members(search: …)"?'],
    [
      '{ members(since: "x") { totalCount } }',
      'Did you mean "filter: { createdSince: … }" or "filter: { updatedSince: … }"?',
    ],
    [
      '{ changes(since: "2026-01-31") { nodes { id } } }',
      'It continues after a cursor; "updatedSince" filters members.',
    ],
    ['{ members(name: "a") { totalCount } }', 'Did you mean "search"?'],
    ['{ members(reverse: true) { totalCount } }', 'Did you mean "orderBy: { direction: … }"?'],
    ['{ members(id: "x") { totalCount } }', 'Did you mean "member(id: …)"?'],
    ['{ tag(name: "x") { id } }', 'Did you mean "tags(search: …)"?'],
    ['{ changes(types: [members]) { nodes { id } } }', 'Did you mean "resources"?'],
    ['{ viewer @skip(unless: true) { keyName } }', 'A field can only have "@include(if: …)" and "@skip(if: …)".'],
  ],
  'a missing argument': [
    ['{ nodes { id } }', 'Write "nodes(ids: …)", or a list as "members { nodes { … } }".'],
    ['mutation { createMember { record { id } } }', 'Write "createMember(input: …)".'],
    ['{ viewer @include { keyName } }', 'Write "@include(if: …)".'],
  ],
  'an argument in another one': [
    ['{ members(filter: { search: "a" }) { totalCount } }', 'Did you mean "members(filter: …, search: …)"?'],
    ['{ members(filter: { q: "a" }) { totalCount } }', 'Did you mean "members(filter: …, search: …)"?'],
    ['{ members(filter: { limit: 5 }) { totalCount } }', 'Did you mean "members(filter: …, first: …)"?'],
    [
      '{ members(filter: { direction: ASC }) { totalCount } }',
      'Did you mean "members(filter: …, orderBy: { direction: … })"?',
    ],
    [
      '{ members(orderBy: { field: NAME, isGuest: true }) { totalCount } }',
      '"MemberOrder" has the fields direction (ASC or DESC), field (CREATED_AT, ENTRY, NAME or UPDATED_AT).',
    ],
    ['{ members(filter: { id: "x" }) { totalCount } }', 'Did you mean "member(id: …)"?'],
    ['{ members(orderBy: { field: NAME, NAME: ASC }) { totalCount } }', 'Did you mean "field: NAME"?'],
  ],
  'an unknown input field': [
    [create(', phone: "1"'), 'Did you mean "phoneNumber"?'],
    ['{ events(filter: { type: "x" }) { totalCount } }', '"EventFilter" has the fields createdSince, from, until.'],
    [create(', clientMutationId: "x"'), 'Send it as the header Idempotency-Key.'],
  ],
};

const MESSAGES: Mistakes = {
  'an argument in another one': [
    [
      'query ($f: MemberFilter) { members(filter: $f) { totalCount } }',
      'Variable "$f" has an invalid value at "f": Field "search" is not defined by type "MemberFilter". Did you mean "members(filter: …, search: …)"?',
      { f: { search: 'a' } },
    ],
  ],
  'an unknown input field': [
    [
      create(', tags: []'),
      'tags: use tagIds, the ids of all tags of the member, as listed by GET /v1/tags, or PATCH /v1/members/{object_id}/tags (GraphQL: updateMemberTags) with add and remove',
    ],
    [create(', designation: ""'), 'designation: use designationId, an id as listed by GET /v1/designations'],
    [
      'mutation ($id: ID!) { updateMember(input: { id: $id, dateOfBirth: "" }) { record { id } } }',
      'dateOfBirth: is set on creation only; leave it out of updates',
      { id: 'x' },
    ],
  ],
};

onOneStore((service) => {
  describeHints(service, HINTS);
  describeMessages(service, MESSAGES);
});
