import { describe, expect, it } from 'vitest';
import { graphql } from '../../../support/graphql.ts';
import { onOneStore } from '../../../support/service.ts';

// Each message alone states what was wrong, where, and what would be valid: one case for each kind of mistake.

type Variables = Readonly<Record<string, unknown>>;

const PERSON = 'firstName: "A", lastName: "B", emailAddress: "a@example.org"';
const create = (fields: string, selection = 'record { id }') =>
  `mutation { createMember(input: { ${PERSON}${fields} }) { ${selection} } }`;

/** Mistakes by kind: a document, its variables and the first message. */
const MISTAKES: Readonly<
  Record<string, readonly (readonly [document: string, message: string, variables?: Variables])[]>
> = {
  'an unknown field': [
    ['{ members { items { id } } }', 'Cannot query field "items" on type "MemberConnection". Did you mean "nodes"?'],
    ['{ members { edges { nodes { id } } } }', 'Cannot query field "nodes" on type "MemberEdge". Did you mean "node"?'],
    [
      '{ members { nodes { first_name } } }',
      'Cannot query field "first_name" on type "Member". Did you mean "firstName"?',
    ],
    [
      '{ members { nodes { name } } }',
      'Cannot query field "name" on type "Member". Did you mean "firstName" or "lastName"?',
    ],
    ['{ members { id } }', 'Cannot query field "id" on type "MemberConnection". Did you mean "nodes { id }"?'],
    [
      '{ organization { name } }',
      'Cannot query field "organization" on type "Query". Did you mean "viewer { organization }"?',
    ],
    ['{ getMembers { id } }', 'Cannot query field "getMembers" on type "Query". Did you mean "member" or "members"?'],
    [
      '{ members { hasNextPage } }',
      'Cannot query field "hasNextPage" on type "MemberConnection". Did you mean "pageInfo { hasNextPage }"?',
    ],
    [
      '{ search(query: "a") { nodes { id } } }',
      'Cannot query field "search" on type "Query". It is an argument, as in "departments(search: …)".',
    ],
    [create('', 'id'), 'Cannot query field "id" on type "CreateMemberPayload". Did you mean "record { id }"?'],
    [
      '{ createMember }',
      'Cannot query field "createMember" on type "Query". Did you mean "mutation { createMember }"?',
    ],
    ['mutation { members }', 'Cannot query field "members" on type "Mutation". Did you mean "query { members }"?'],
    [
      '{ changes { totalCount } }',
      'Cannot query field "totalCount" on type "ChangeConnection". "ChangeConnection" has the fields edges, nodes, pageInfo.',
    ],
    [
      '{ viewer { organizationId } }',
      'Cannot query field "organizationId" on type "Viewer". Did you mean "organization"? "Viewer" has the fields expiresAt, key, keyName, organization, rateLimit, scopes.',
    ],
    [
      '{ members { nodes { tags { nodes { id } } } } }',
      'Cannot query field "nodes" on type "Tag". "Tag" has no pages; select its fields directly.',
    ],
    [
      '{ viewer { key { usage { nodes { day } } } } }',
      'Cannot query field "nodes" on type "ApiKeyUsageConnection". "ApiKeyUsageConnection" has the fields edges, pageInfo.',
    ],
    [
      '{ node(id: "x") { firstName } }',
      'Cannot query field "firstName" on type "Node". Did you mean to use an inline fragment on "Member"?',
    ],
    [
      '{ node(id: "x") { colour } }',
      'Cannot query field "colour" on type "Node". Select the fields of Department, Designation, Event, Form, FormField, FormResponse, Member, PrayerRequest, Service, Tag in fragments: "... on Department { … }".',
    ],
  ],
  'a selection': [
    [
      '{ members }',
      'Field "members" of type "MemberConnection" must have a selection of subfields. Did you mean "members { ... }"? "MemberConnection" has the fields edges, nodes, pageInfo, totalCount.',
    ],
  ],
  'a selection of a field without fields': [
    [
      '{ members { nodes { gender { name } } } }',
      'Field "gender" must not have a selection since type "Gender" has no subfields. Select "gender" without "{ … }".',
    ],
  ],
  'an unknown type': [
    ['{ node(id: "x") { ... on Person { id } } }', 'Unknown type "Person". Did you mean "Member"?'],
    [
      '{ node(id: "x") { ... on Household { id } } }',
      'Unknown type "Household". The types of records are Department, Designation, Event, Form, FormField, FormResponse, Member, PrayerRequest, Service, Tag.',
    ],
  ],
  'an unknown argument': [
    ['{ members(q: "a") { totalCount } }', 'Unknown argument "q" on field "Query.members". Did you mean "search"?'],
    [
      '{ members(limit: 5) { totalCount } }',
      'Unknown argument "limit" on field "Query.members". Did you mean "first"?',
    ],
    [
      '{ members(page: 2) { totalCount } }',
      'Unknown argument "page" on field "Query.members". Did you mean "after", with the "endCursor" of the previous page?',
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
      'Unknown argument "mail" on field "Query.member". "Query.member" has the argument id.',
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
  'an enum value': [
    [
      create(', gender: "Male"'),
      'gender: Enum "Gender" cannot represent non-enum value: "Male". Write Male without quotes.',
    ],
    [
      create(', gender: "M"'),
      'gender: Enum "Gender" cannot represent non-enum value: "M". Write one of Female, Male, Others, without quotes.',
    ],
    [
      create(', gender: 1'),
      'gender: Enum "Gender" cannot represent non-enum value: 1. "Gender" has the values Female, Male, Others.',
    ],
    [
      '{ members(orderBy: { field: LAST_NAME }) { totalCount } }',
      'orderBy.field: Value "LAST_NAME" does not exist in "MemberOrderField" enum. "MemberOrderField" has the values ENTRY, NAME, UPDATED_AT.',
    ],
    [
      '{ members(orderBy: {}) { totalCount } }',
      'Field "MemberOrder.field" of required type "MemberOrderField!" was not provided. "MemberOrderField" has the values ENTRY, NAME, UPDATED_AT.',
    ],
    [
      'query ($order: MemberOrder) { members(orderBy: $order) { totalCount } }',
      'Variable "$order" has an invalid value at "order.field": The value does not exist in "MemberOrderField" enum. "MemberOrderField" has the values ENTRY, NAME, UPDATED_AT.',
      { order: { field: 'name' } },
    ],
  ],
  'a value of another type': [
    [
      '{ members(first: "5") { totalCount } }',
      'first: Int cannot represent non-integer value: "5". Write it without quotes.',
    ],
    [
      '{ members(search: 5) { totalCount } }',
      'search: String cannot represent a non string value: 5. Write it in quotes.',
    ],
    [
      '{ members(search: { name: "a" }) { totalCount } }',
      'search: String cannot represent a non string value: {name: "a"}. Write one string, in quotes.',
    ],
    [
      '{ members(filter: { isGuest: yes }) { totalCount } }',
      'filter.isGuest: Boolean cannot represent a non boolean value: yes. Write true or false.',
    ],
    ['{ members(first: 1.5) { totalCount } }', 'first: Int cannot represent non-integer value: 1.5. Write an integer.'],
    [
      'query ($first: Int = "5") { members(first: $first) { totalCount } }',
      'Int cannot represent non-integer value: "5". Write it without quotes. (line 1, column 22)',
    ],
    ['{ member(id: null) { id } }', 'id: Expected value of type "ID!", found null.'],
    [
      '{ members(search: text) { totalCount } }',
      'search: String cannot represent a non string value: text. Write it in quotes, or "$text" for a variable.',
    ],
    [
      '{ formResponse(formId: "form_1", id: "x") { id } }',
      'formId: Int cannot represent non-integer value: "form_1". Write only the number, without "form_" and without quotes.',
    ],
    [
      '{ members(orderBy: NAME) { totalCount } }',
      'orderBy: Expected value of type "MemberOrder", found NAME. Write an object with the fields direction (ASC or DESC), field (ENTRY, NAME or UPDATED_AT).',
    ],
    [
      'mutation { submitFormResponse(input: { formId: 1, answers: "x" }) { record { id } } }',
      'answers: Expected value of type "[FormAnswerInput!]!", found "x". Write a list of objects with the fields fieldId, value.',
    ],
    [
      'query ($first: Int) { members(first: $first) { totalCount } }',
      'Variable "$first" has an invalid value at "first": Int cannot represent non-integer value. Write it without quotes.',
      { first: '5' },
    ],
    [
      'query ($text: String) { members(search: $text) { totalCount } }',
      'Variable "$text" has an invalid value at "text": String cannot represent a non string value. Write it in quotes.',
      { text: 5 },
    ],
    [
      'query ($id: ID!) { member(id: $id) { id } }',
      'Variable "$id" has an invalid value at "id": ID cannot represent a non-string and non-integer value',
      { id: true },
    ],
    [
      'query ($order: MemberOrder) { members(orderBy: $order) { totalCount } }',
      'Variable "$order" has an invalid value at "order": Expected type "MemberOrder" to be an object. Write an object with the fields direction (ASC or DESC), field (ENTRY, NAME or UPDATED_AT).',
      { order: '-name' },
    ],
  ],
  'a variable': [
    [
      'query ($id: ID!) { member(id: $id) { id } }',
      'Variable "$id" of required type "ID!" was not provided. The request has no variables.',
    ],
    [
      'query ($id: ID!) { member(id: $id) { id } }',
      'Variable "$id" of required type "ID!" was not provided. The request has the variables "$id".',
      { $id: 'x' },
    ],
    ['{ member(id: $id) { id } }', 'Variable "$id" is not defined. Declare it as "$id: ID!".', { id: 'x' }],
    [
      'query ($id: String!) { member(id: $id) { id } }',
      'Variable "$id" of type "String!" used in position expecting type "ID!". Declare it as "$id: ID!".',
      { id: 'x' },
    ],
    [
      'mutation ($in: MemberInput!) { createMember(input: $in) { record { id } } }',
      'Unknown type "MemberInput". Declare it as "$in: CreateMemberInput!".',
      { in: {} },
    ],
    [
      'query ($in: [Member]) { nodes(ids: $in) { id } }',
      'Variable "$in" cannot be non-input type "[Member]". Declare it as "$in: [ID!]!".',
      { in: [] },
    ],
  ],
  'a fragment, directive or operation': [
    ['{ members { ...F } }', 'Unknown fragment "F". Define it in the same document.'],
    [
      '{ viewer { keyName } } fragment F on Viewer { keyName }',
      'Fragment "F" is never used. Spread it in an operation with "...F", or remove it.',
    ],
    [
      '{ viewer @client { keyName } }',
      'Unknown directive "@client". The directives of operations are @include, @skip.',
    ],
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
  ],
  'the syntax': [
    [
      '{ viewer { keyName }',
      'Syntax Error: Expected Name, found <EOF>. The document ends before an operation is complete. (line 1, column 21)',
    ],
    [
      '{\n  viewer { }\n}',
      'Syntax Error: Expected Name, found "}". Select at least one field between "{" and "}". (line 2, column 12)',
    ],
    [
      '{ members() }',
      'Syntax Error: Expected Name, found ")". Leave out parentheses without arguments. (line 1, column 11)',
    ],
    [
      '{ "viewer" }',
      'Syntax Error: Expected Name, found String "viewer". Write names without quotes. (line 1, column 3)',
    ],
    [
      create(', dateOfBirth: 1990-12-31'),
      'Syntax Error: Expected Name, found Int "-12". Write text and dates in quotes. (line 1, column 113)',
    ],
    [
      'query (id: ID!) { __typename }',
      'Syntax Error: Expected "$", found Name "id". The names of variables begin with "$". (line 1, column 8)',
    ],
    [
      '{ members(first=5) }',
      'Syntax Error: Expected ":", found "=". Write arguments as "name: value", and variables as "$name: Type". (line 1, column 16)',
    ],
    [
      'viewer { keyName }',
      'Syntax Error: Unexpected Name "viewer". An operation begins with "{", "query", "mutation" or "subscription". (line 1, column 1)',
    ],
    [
      '{ member(id: “x”) }',
      'Syntax Error: Unexpected character: U+201C. Write straight double quotes ("). (line 1, column 14)',
    ],
    ['{ viewer // the key\n}', 'Syntax Error: Unexpected character: "/". Comments begin with "#". (line 1, column 10)'],
    [
      '{ viewer { keyName } } }',
      'Syntax Error: Unexpected "}". It closes no "{", or a "(" or "[" before it is still open. (line 1, column 24)',
    ],
    [
      '{ members(filter: { "1": 2 }) { totalCount } }',
      'Syntax Error: Expected Name, found String "1". A name cannot be a number; write answers as [{ fieldId: 1, value: … }]. (line 1, column 21)',
    ],
    [
      '{ events(filter: { from: 2026-01-01 }) { totalCount } }',
      'Syntax Error: Invalid number, unexpected digit after 0: "1". Write text and dates in quotes. (line 1, column 32)',
    ],
    ['{ viewer ; }', 'Syntax Error: Unexpected character: ";". (line 1, column 10)'],
  ],
};

onOneStore((service) => {
  for (const [kind, mistakes] of Object.entries(MISTAKES)) {
    describe(`the message about ${kind}`, () => {
      it.each(mistakes)('%s: %s', async (query, message, variables) => {
        const ask = graphql(service.app, (await service.organization()).key);
        expect((await ask.post({ query, variables })).json.errors[0].message).toBe(message);
      });
    });
  }
});
