import { onOneStore } from '../../../support/service.ts';
import { create, describeMessages, type Mistakes } from './mistakes.ts';

const MISTAKES: Mistakes = {
  'an unknown argument': [
    ['{ members(q: "a") { totalCount } }', 'Unknown argument "q" on field "Query.members". Did you mean "search"?'],
    [
      '{ members(limit: 5) { totalCount } }',
      'Unknown argument "limit" on field "Query.members". Did you mean "first"? A page has 1 to 100 records.',
    ],
    [
      '{ members(page: 2) { totalCount } }',
      'Unknown argument "page" on field "Query.members". Did you mean "after"? It is the "endCursor" of the previous page.',
    ],
    [
      '{ members(isGuest: true) { totalCount } }',
      'Unknown argument "isGuest" on field "Query.members". Did you mean "filter: { isGuest: … }"?',
    ],
    [
      'mutation { createMember(firstName: "A") { record { id } } }',
      'Unknown argument "firstName" on field "Mutation.createMember". Did you mean "input: { firstName: … }"?',
    ],
    [
      '{ members(ids: []) { totalCount } }',
      'Unknown argument "ids" on field "Query.members". Read records by id with the query "nodes".',
    ],
    [
      '{ tags(filter: {}) { totalCount } }',
      'Unknown argument "filter" on field "Query.tags". "Query.tags" has the arguments after, before, first, last, orderBy, search.',
    ],
    [
      '{ member(mail: "x") { id } }',
      'Unknown argument "mail" on field "Query.member". Did you mean "members(filter: { emailAddress: … })"?',
    ],
    [
      '{ members(since: "x") { totalCount } }',
      'Unknown argument "since" on field "Query.members". Did you mean "after"? It is the "endCursor" of the previous page.',
    ],
    [
      '{ members(name: "a") { totalCount } }',
      'Unknown argument "name" on field "Query.members". Did you mean "search"?',
    ],
    [
      '{ members(reverse: true) { totalCount } }',
      'Unknown argument "reverse" on field "Query.members". Did you mean "orderBy: { direction: … }"?',
    ],
    [
      '{ members(id: "x") { totalCount } }',
      'Unknown argument "id" on field "Query.members". Did you mean "member(id: …)"?',
    ],
    ['{ tag(name: "x") { id } }', 'Unknown argument "name" on field "Query.tag". Did you mean "tags(search: …)"?'],
    [
      '{ changes(types: [members]) { nodes { id } } }',
      'Unknown argument "types" on field "Query.changes". Did you mean "resources"?',
    ],
    [
      '{ viewer @skip(unless: true) { keyName } }',
      'Unknown argument "unless" on directive "@skip". Write "@skip(if: …)".',
    ],
  ],
  'a missing argument': [
    [
      '{ nodes { id } }',
      'Field "nodes" argument "ids" of type "[ID!]!" is required, but it was not provided. Write "nodes(ids: …)".',
    ],
    [
      'mutation { createMember { record { id } } }',
      'Field "createMember" argument "input" of type "CreateMemberInput!" is required, but it was not provided. Write "createMember(input: …)".',
    ],
    [
      '{ viewer @include { keyName } }',
      'Directive "@include" argument "if" of type "Boolean!" is required, but it was not provided. Write "@include(if: …)".',
    ],
  ],
  'an argument in another one': [
    [
      '{ members(filter: { search: "a" }) { totalCount } }',
      'Field "search" is not defined by type "MemberFilter". Did you mean "members(filter: …, search: …)"?',
    ],
    [
      '{ members(filter: { q: "a" }) { totalCount } }',
      'Field "q" is not defined by type "MemberFilter". Did you mean "members(filter: …, search: …)"?',
    ],
    [
      '{ members(filter: { limit: 5 }) { totalCount } }',
      'Field "limit" is not defined by type "MemberFilter". Did you mean "members(filter: …, first: …)"?',
    ],
    [
      '{ members(filter: { direction: ASC }) { totalCount } }',
      'Field "direction" is not defined by type "MemberFilter". Did you mean "members(filter: …, orderBy: { direction: … })"?',
    ],
    [
      '{ members(orderBy: { field: NAME, isGuest: true }) { totalCount } }',
      'Field "isGuest" is not defined by type "MemberOrder". Did you mean "members(orderBy: …, filter: { isGuest: … })"?',
    ],
    [
      '{ members(filter: { id: "x" }) { totalCount } }',
      'Field "id" is not defined by type "MemberFilter". Did you mean "member(id: …)"?',
    ],
    [
      '{ members(orderBy: { field: NAME, NAME: ASC }) { totalCount } }',
      'Field "NAME" is not defined by type "MemberOrder". Did you mean "field: NAME"?',
    ],
    [
      'query ($f: MemberFilter) { members(filter: $f) { totalCount } }',
      'Variable "$f" has an invalid value at "f": Field "search" is not defined by type "MemberFilter". Did you mean "members(filter: …, search: …)"?',
      { f: { search: 'a' } },
    ],
  ],
  'an unknown input field': [
    [create(', phone: "1"'), 'Field "phone" is not defined by type "CreateMemberInput". Did you mean "phoneNumber"?'],
    [create(', tags: []'), 'tags: use tagIds, for example ["tag_01j00000000000000000000006"]'],
    [create(', designation: ""'), 'designation: use designationId, for example dsg_01j00000000000000000000001'],
    [
      'mutation ($id: ID!) { updateMember(input: { id: $id, dateOfBirth: "" }) { record { id } } }',
      'dateOfBirth: is set on creation only; leave it out of updates',
      { id: 'x' },
    ],
    [
      '{ events(filter: { type: "x" }) { totalCount } }',
      'Field "type" is not defined by type "EventFilter". "EventFilter" has the fields from, until.',
    ],
    [
      create(', clientMutationId: "x"'),
      'Field "clientMutationId" is not defined by type "CreateMemberInput". Send it as the header Idempotency-Key.',
    ],
  ],
};

onOneStore((service) => describeMessages(service, MISTAKES));
