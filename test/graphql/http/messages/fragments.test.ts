import { onOneStore } from '../../../support/service.ts';
import { create, describeHints, describeMessages, type Mistakes, RECORD_TYPES } from './mistakes.ts';

const DIRECTIVES = 'A field can only have "@include(if: …)" and "@skip(if: …)".';

const HINTS: Mistakes = {
  'an unknown type': [
    ['{ node(id: "x") { ... on Person { id } } }', 'Did you mean "Member"?'],
    [
      '{ node(id: "x") { ... on Household { id } } }',
      `A fragment here must be on ${RECORD_TYPES.join(', ')}: "... on ${RECORD_TYPES[0]} { … }".`,
    ],
  ],
  'a fragment on another type': [
    ['{ members { ... on Member { id } } }', 'Did you mean "nodes { ... on Member { … } }"?'],
    ['{ members { edges { ...F } } } fragment F on Member { id }', 'Did you mean "node { ...F }"?'],
    [
      '{ viewer { key { usage { ...F } } } } fragment F on ApiKeyUsageDay { day }',
      'Did you mean "edges { node { ...F } }"?',
    ],
    [
      '{ members { nodes { ...F } } } fragment F on MemberConnection { totalCount }',
      'A fragment here must be on Member: "... on Member { … }".',
    ],
    ['{ members { nodes { ... on Event { id } } } }', 'A fragment here must be on Member: "... on Member { … }".'],
    ['{ changes { nodes { ...F } } } fragment F on Member { id }', 'Did you mean "record { ...F }"?'],
    [
      '{ changes { nodes { record { ... on Viewer { keyName } } } } }',
      `A fragment here must be on ${RECORD_TYPES.join(', ')}: "... on ${RECORD_TYPES[0]} { … }".`,
    ],
    [create('', '... on Member { id }'), 'Did you mean "record { ... on Member { … } }"?'],
  ],
  'a fragment, directive or operation': [
    ['{ members { ...F } }', 'Define it in the same document, with the same upper and lower case letters.'],
    ['{ viewer { keyName } } fragment F on Viewer { keyName }', 'Spread it in an operation with "...F", or remove it.'],
    ['{ viewer @client { keyName } }', DIRECTIVES],
    ['{ a: __typename } { b: __typename }', 'Name each operation, and select one with "operationName".'],
    ['type A { a: Int }', 'A document has operations and fragments only.'],
    [
      'subscription { members { nodes { id } } }',
      'Subscribe to "changes(resources: …)"; its "record" is the changed record.',
    ],
    [
      'subscription ($live: Boolean!) { changes @include(if: $live) { id } }',
      'The field of a subscription cannot depend on a variable.',
      { live: true },
    ],
    [
      '{ members { nodes { ...F } } } fragment f on Member { id }',
      'Define it in the same document, with the same upper and lower case letters.',
    ],
    ['{ viewer { keyName @deprecated } }', DIRECTIVES],
    [
      '{ member(id: "a") { id } member(id: "b") { id } }',
      'Write an alias before each, as in "a: member(id: …) b: member(id: …)".',
    ],
    ['subscription { a: changes { id } b: changes { id } }', 'Send each field in a separate subscription.'],
  ],
};

const MESSAGES: Mistakes = {
  'a fragment, directive or operation': [
    [
      'query A { __typename } query B { __typename }',
      'operationName: must be the name of an operation in the query, because the query has several operations: A, B',
    ],
  ],
};

onOneStore((service) => {
  describeHints(service, HINTS);
  describeMessages(service, MESSAGES);
});
