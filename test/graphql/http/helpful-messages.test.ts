import { describe, expect, it } from 'vitest';
import { graphql } from '../../support/graphql.ts';
import { onOneStore } from '../../support/service.ts';

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
    [create(', tags: []'), 'tags: use tagIds'],
    [create(', designation: ""'), 'designation: use designationId'],
    [
      'mutation ($id: ID!) { updateMember(input: { id: $id, dateOfBirth: "" }) { record { id } } }',
      'dateOfBirth: is set on creation only',
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
      'orderBy: Expected value of type "MemberOrder", found NAME. Write an object with the fields direction, field.',
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
      'Variable "$order" has an invalid value at "order": Expected type "MemberOrder" to be an object. Write an object with the fields direction, field.',
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
      'subscription { changes { nodes { id } } }',
      'The schema has no subscription type; query "changes" repeatedly instead',
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
      'Syntax Error: Unexpected Name "viewer". An operation begins with "{", "query" or "mutation". (line 1, column 1)',
    ],
    [
      '{ member(id: “x”) }',
      'Syntax Error: Unexpected character: U+201C. Write straight double quotes ("). (line 1, column 14)',
    ],
    ['{ viewer // the key\n}', 'Syntax Error: Unexpected character: "/". Comments begin with "#". (line 1, column 10)'],
    ['{ viewer ; }', 'Syntax Error: Unexpected character: ";". (line 1, column 10)'],
  ],
};

onOneStore((service) => {
  const send = async (body: unknown) => graphql(service.app, (await service.organization()).key).post(body);

  const messageOf = async (body: unknown): Promise<string> => (await send(body)).json.errors[0].message;

  for (const [kind, mistakes] of Object.entries(MISTAKES)) {
    describe(`the message about ${kind}`, () => {
      it.each(mistakes)('%s: %s', async (query, message, variables) => {
        expect(await messageOf({ query, variables })).toBe(message);
      });
    });
  }

  describe('the message about the body', () => {
    const FIELDS = 'query, documentId, operationName, variables, extensions';
    const query = '{ __typename }';

    it.each([
      ['text', 'body: must be an object with the field query, not a string'],
      [{ Query: query }, `Query: unknown field; use ${FIELDS}`],
      [{ query, id: 'x', operation_name: 'A' }, `id: unknown field; use ${FIELDS}; operation_name: unknown field`],
      [{ query, variables: '{}' }, 'variables: must be an object, not text'],
      [{ query, variables: [] }, 'variables: must be an object'],
      [{ query, operationName: 'A' }, 'operationName: must be omitted, because the operation in the query has no name'],
      [
        { query: `query A ${query}`, operationName: 'B' },
        'operationName: must be the name of an operation in the query: A',
      ],
    ])('%j: %s', async (body, message) => {
      expect(await messageOf(JSON.stringify(body))).toBe(message);
    });
  });

  describe('the message about userErrors beside a field that cannot be null', () => {
    it.each([
      [create('', 'member { id } userErrors { code }').replace('a@example.org', '@'), 'record" instead of "member"'],
      [
        'mutation { submitPrayerRequest(input: { description: " " }) { userErrors { code } prayerRequest { id } } }',
        'record" instead of "prayerRequest"',
      ],
    ])('names the field to select: %s', async (query, fields) => {
      expect(await messageOf({ query })).toMatch(
        new RegExp(`^\\w+: .+; to get this error in "userErrors", select "${fields}$`),
      );
    });
  });

  describe('the message about an id', () => {
    it.each(['xyz', 'a@example.org', '12', 'mem_xyz', 'form_x', 'mem_01j00000000000000000000001'])(
      'that is unknown states how ids begin: %s',
      async (id) => {
        expect(await messageOf({ query: `{ node(id: "${id}") { id } }` })).toBe(
          'Node not found; ids begin with dep_, dsg_, evt_, field_, form_, frs_, mem_, pry_, svc_, tag_',
        );
      },
    );
  });

  describe('the details name the same field for a variable as for a literal', () => {
    it.each([
      ['members(first: $a) { totalCount }', 'Int', '"5"', 'first'],
      ['members(filter: $a) { totalCount }', 'MemberFilter', '{ isGuest: 5 }', 'filter.isGuest'],
      ['members(filter: $a) { totalCount }', 'MemberFilter', '{ city: 5 }', 'filter.city'],
      ['members(filter: { isGuest: $a }) { totalCount }', 'Boolean', '5', 'filter.isGuest'],
      ['members(orderBy: $a) { totalCount }', 'MemberOrder', '{}', 'orderBy.field'],
      ['nodes(ids: $a) { id }', '[ID!]!', '["x", {}]', 'ids.1'],
      ['nodes(ids: [$a]) { id }', 'ID!', '{}', 'ids.0'],
      ['member(id: $a) { ... on Member { id } }', 'ID!', 'null', 'id'],
      ['createMember(input: $a) { record { id } }', 'CreateMemberInput!', '{ firstName: "A" }', 'emailAddress'],
      [`createMember(input: { ${PERSON}, tagIds: $a }) { record { id } }`, '[ID!]', '[5.5]', 'tagIds.0'],
    ])('%s of type %s: %s', async (field, type, literal, name) => {
      const operation = field.startsWith('create') ? 'mutation' : 'query';
      const value = JSON.parse(literal.replace(/(\w+):/g, '"$1":'));
      const answers = [
        await send({ query: `${operation} { ${field.replace('$a', literal)} }` }),
        await send({ query: `${operation} ($a: ${type}) { ${field} }`, variables: { a: value } }),
        await send({
          query: `query Other($a: Int) { events(first: $a) { totalCount } } ${operation} Meant($a: ${type}) { ${field} }`,
          operationName: 'Meant',
          variables: { a: value },
        }),
      ];
      expect(answers.map(({ json }) => json.errors[0].extensions.details[0].field)).toEqual([name, name, name]);
    });

    it('if a fragment uses the variable', async () => {
      const query =
        'query ($a: Boolean) { ...F } fragment F on Query { members(filter: { isGuest: $a }) { totalCount } }';
      const { json } = await send({ query, variables: { a: 5 } });
      expect(json.errors[0].extensions.details[0].field).toBe('filter.isGuest');
    });

    it('if the variable has a type that does not fit', async () => {
      const { json } = await send({ query: 'query ($a: String!) { members(filter: { isGuest: $a }) { totalCount } }' });
      expect(json.errors[0].extensions.details[0].field).toBe('filter.isGuest');
    });
  });
});
