import { onOneStore } from '../../../support/service.ts';
import { create, describeMessages, type Mistakes } from './mistakes.ts';

const MISTAKES: Mistakes = {
  'an unknown type': [
    ['{ node(id: "x") { ... on Person { id } } }', 'Unknown type "Person". Did you mean "Member"?'],
    [
      '{ node(id: "x") { ... on Household { id } } }',
      'Unknown type "Household". The types of records are Department, Designation, Event, Form, FormField, FormResponse, Member, PrayerRequest, Service, Tag.',
    ],
  ],
  'a fragment on another type': [
    [
      '{ members { ... on Member { id } } }',
      'Fragment cannot be spread here as objects of type "MemberConnection" can never be of type "Member". Did you mean "nodes { ... on Member { … } }"?',
    ],
    [
      '{ members { edges { ...F } } } fragment F on Member { id }',
      'Fragment "F" cannot be spread here as objects of type "MemberEdge" can never be of type "Member". Did you mean "node { ...F }"?',
    ],
    [
      '{ viewer { key { usage { ...F } } } } fragment F on ApiKeyUsageDay { day }',
      'Fragment "F" cannot be spread here as objects of type "ApiKeyUsageConnection" can never be of type "ApiKeyUsageDay". Did you mean "edges { node { ...F } }"?',
    ],
    [
      '{ members { nodes { ...F } } } fragment F on MemberConnection { totalCount }',
      'Fragment "F" cannot be spread here as objects of type "Member" can never be of type "MemberConnection". Spread it where "nodes" is selected, in "MemberConnection".',
    ],
    [
      '{ members { nodes { ... on Event { id } } } }',
      'Fragment cannot be spread here as objects of type "Member" can never be of type "Event". A fragment here must be on Member: "... on Member { … }".',
    ],
    [
      '{ changes { nodes { ...F } } } fragment F on Member { id }',
      'Fragment "F" cannot be spread here as objects of type "Change" can never be of type "Member". Did you mean "record { ...F }"?',
    ],
    [
      '{ changes { nodes { record { ... on Viewer { keyName } } } } }',
      'Fragment cannot be spread here as objects of type "Node" can never be of type "Viewer". A fragment here must be on Department, Designation, Event, Form, FormField, FormResponse, Member, PrayerRequest, Service, Tag: "... on Department { … }".',
    ],
    [
      create('', '... on Member { id }'),
      'Fragment cannot be spread here as objects of type "CreateMemberPayload" can never be of type "Member". Did you mean "record { ... on Member { … } }"?',
    ],
    [
      '{ viewer { ... on String { id } } }',
      'Fragment cannot condition on non composite type "String". A fragment must be on a type that has fields.',
    ],
  ],
  'a fragment, directive or operation': [
    [
      '{ members { ...F } }',
      'Unknown fragment "F". Define it in the same document, with the same upper and lower case letters.',
    ],
    [
      '{ viewer { keyName } } fragment F on Viewer { keyName }',
      'Fragment "F" is never used. Spread it in an operation with "...F", or remove it.',
    ],
    ['{ viewer @client { keyName } }', 'Unknown directive "@client". Write one of @include, @skip.'],
    [
      '{ a: __typename } { b: __typename }',
      'This anonymous operation must be the only defined operation. Name each operation, and select one with "operationName".',
    ],
    ['type A { a: Int }', 'The "A" definition is not executable. A document has operations and fragments only.'],
    [
      'subscription { members { nodes { id } } }',
      'Cannot query field "members" on type "Subscription". Did you mean "query { members }"?',
    ],
    [
      'subscription ($live: Boolean!) { changes @include(if: $live) { id } }',
      'Argument "if" of required type "Boolean!" was provided the variable "$live" which was not provided a runtime value. The field of a subscription cannot depend on a variable; send another document instead.',
      { live: true },
    ],
    [
      'query A { __typename } query B { __typename }',
      'operationName: must be the name of an operation in the query, because the query has several operations: A, B',
    ],
    [
      '{ members { nodes { ...F } } } fragment f on Member { id }',
      'Unknown fragment "F". Define it in the same document, with the same upper and lower case letters.',
    ],
    [
      '{ viewer { keyName @deprecated } }',
      'Directive "@deprecated" may not be used on FIELD. Write one of @include, @skip.',
    ],
    [
      '{ member(id: "a") { id } member(id: "b") { id } }',
      'Fields "member" conflict because they have differing arguments. Use different aliases on the fields to fetch both if this was intentional. Write an alias before each, as in "a: member(id: …) b: member(id: …)".',
    ],
    [
      'subscription { a: changes { id } b: changes { id } }',
      'Anonymous Subscription must select only one top level field. Send each field in a separate subscription.',
    ],
  ],
};

onOneStore((service) => describeMessages(service, MISTAKES));
