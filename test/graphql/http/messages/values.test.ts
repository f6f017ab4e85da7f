import { ENTITIES } from '../../../../src/domain/entities/registry.ts';
import { onOneStore } from '../../../support/service.ts';
import { create, describeHints, describeMessages, type Mistakes } from './mistakes.ts';

const HINTS: Mistakes = {
  'an enum value': [
    [
      '{ members(orderBy: {}) { totalCount } }',
      '"MemberOrderField" has the values CREATED_AT, ENTRY, NAME, UPDATED_AT.',
    ],
  ],
  'a variable': [
    ['{ member(id: $id) { id } }', 'Declare it as "$id: ID!".', { id: 'x' }],
    ['query ($id: String!) { member(id: $id) { id } }', 'Declare it as "$id: ID!".', { id: 'x' }],
    [
      'mutation ($in: MemberInput!) { createMember(input: $in) { record { id } } }',
      'Declare it as "$in: CreateMemberInput!".',
      { in: {} },
    ],
    ['query ($in: [Member]) { nodes(ids: $in) { id } }', 'Declare it as "$in: [ID!]!".', { in: [] }],
    [
      'query ($name: String!) { members(search: "$name") { totalCount } }',
      'Write "$name" without quotes as a value, or omit it.',
      { name: 'a' },
    ],
  ],
  'several mistakes, first the one that explains the others': [
    ['{ member(memberId: "x") { id } }', 'Did you mean "id"?'],
  ],
};

const MESSAGES: Mistakes = {
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
      'orderBy.field: Value "LAST_NAME" does not exist in "MemberOrderField" enum. "MemberOrderField" has the values CREATED_AT, ENTRY, NAME, UPDATED_AT.',
    ],
    [
      'query ($order: MemberOrder) { members(orderBy: $order) { totalCount } }',
      'Variable "$order" has an invalid value at "order.field": The value does not exist in "MemberOrderField" enum. "MemberOrderField" has the values CREATED_AT, ENTRY, NAME, UPDATED_AT.',
      { order: { field: 'name' } },
    ],
  ],
  'a value of another type': [
    [
      '{ members(first: "5") { totalCount } }',
      'first: Int cannot represent non-integer value: "5". Write it without quotes. A page has 1 to 100 records.',
    ],
    [
      '{ members(search: 5) { totalCount } }',
      'search: String cannot represent a non string value: 5. Write it in quotes.',
    ],
    [
      '{ members(search: { name: "a" }) { totalCount } }',
      'search: String cannot represent a non string value: {name: "a"}. Write only the value, without "{ … }".',
    ],
    [
      '{ members(filter: { isGuest: yes }) { totalCount } }',
      'filter.isGuest: Boolean cannot represent a non boolean value: yes. Write true or false.',
    ],
    [
      '{ members(first: 1.5) { totalCount } }',
      'first: Int cannot represent non-integer value: 1.5. Write an integer of at most 32 bits. A page has 1 to 100 records.',
    ],
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
      'orderBy: Expected value of type "MemberOrder", found NAME. Write an object with the fields direction (ASC or DESC), field (CREATED_AT, ENTRY, NAME or UPDATED_AT).',
    ],
    [
      'mutation { submitFormResponse(input: { formId: 1, answers: "x" }) { record { id } } }',
      'answers: Expected value of type "[FormAnswerInput!]!", found "x". Write a list of objects with the fields fieldId, value.',
    ],
    [
      'query ($first: Int) { members(first: $first) { totalCount } }',
      'Variable "$first" has an invalid value at "first": Int cannot represent non-integer value. Write it without quotes. A page has 1 to 100 records.',
      { first: '5' },
    ],
    [
      'query ($text: String) { members(search: $text) { totalCount } }',
      'Variable "$text" has an invalid value at "text": String cannot represent a non string value. Write it in quotes.',
      { text: 5 },
    ],
    [
      'query ($id: ID!) { member(id: $id) { id } }',
      'Variable "$id" has an invalid value at "id": ID cannot represent a non-string and non-integer value. Write one string, in quotes.',
      { id: true },
    ],
    [
      'query ($order: MemberOrder) { members(orderBy: $order) { totalCount } }',
      'Variable "$order" has an invalid value at "order": Expected type "MemberOrder" to be an object. Write an object with the fields direction (ASC or DESC), field (CREATED_AT, ENTRY, NAME or UPDATED_AT).',
      { order: '-name' },
    ],
    [
      '{ members(first: 3000000000) { totalCount } }',
      'first: Int cannot represent non 32-bit signed integer value: 3000000000. Write an integer of at most 32 bits. A page has 1 to 100 records.',
    ],
    [
      'query ($n: Int) { members(last: $n) { totalCount } }',
      'Variable "$n" has an invalid value at "n": Int cannot represent non 32-bit signed integer value. Write an integer of at most 32 bits. A page has 1 to 100 records.',
      { n: 3000000000 },
    ],
    [
      '{ formResponse(formId: 3000000000, id: "x") { id } }',
      'formId: Int cannot represent non 32-bit signed integer value: 3000000000. Write an integer of at most 32 bits.',
    ],
    [
      '{ members(after: 5) { totalCount } }',
      'after: String cannot represent a non string value: 5. It is the "endCursor" of the previous page; the first page has none.',
    ],
    [
      'query ($id: ID!) { member(id: $id) { id } }',
      'Variable "$id" has an invalid value at "id": ID cannot represent a non-string and non-integer value. Write only the value, without "{ … }".',
      { id: { id: 'x' } },
    ],
    [
      '{ members(filter: { updatedSince: "2026-01-05T12:00:00 02:00" }) { totalCount } }',
      'filter.updatedSince: must have + (in a URL, %2B) before its offset',
    ],
    [
      '{ changes(resources: []) { nodes { id } } }',
      `resources: must contain at least one of ${Object.keys(ENTITIES).join(', ')}; omit it for all of them`,
    ],
  ],
  'a variable': [
    [
      'query ($id: ID!) { member(id: $id) { id } }',
      'Variable "$id" of required type "ID!" was not provided. The request has no variables; send "variables": { "id": … }.',
    ],
    [
      'query ($id: ID!) { member(id: $id) { id } }',
      'Variable "$id" of required type "ID!" was not provided. The request has the variables "$id"; send "variables": { "id": … }.',
      { $id: 'x' },
    ],
  ],
  'several mistakes, first the one that explains the others': [
    [
      'mutation ($in: CreateMemberInput!) { createMember(input: $in) { record { id } } }',
      'Variable "$in" has an invalid value at "in": Field "first_name" is not defined by type "CreateMemberInput". Did you mean "firstName"?',
      { in: { firstName: 'A', lastName: 'B', emailAddress: 'a@example.org', first_name: 'A' } },
    ],
  ],
};

onOneStore((service) => {
  describeHints(service, HINTS);
  describeMessages(service, MESSAGES);
});
