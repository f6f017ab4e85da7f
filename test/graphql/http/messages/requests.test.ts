import { describe, expect, it } from 'vitest';
import { ENTITIES } from '../../../../src/domain/entities/registry.ts';
import { graphql } from '../../../support/graphql.ts';
import { onOneStore } from '../../../support/service.ts';
import { create, PERSON } from './mistakes.ts';

// Each message alone states what was wrong, where, and what would be valid.

const PREFIXES = ['field', ...Object.values(ENTITIES).map(({ entity }) => entity.prefix)].sort();

onOneStore((service) => {
  const send = async (body: unknown) => graphql(service.app, (await service.organization()).key).post(body);

  const messageOf = async (body: unknown): Promise<string> => (await send(body)).json.errors[0].message;

  describe('the message about the body', () => {
    const FIELDS = 'query, documentId, operationName, variables, extensions';
    const query = '{ __typename }';

    it.each([
      ['text', 'body: must be an object with the field query, not "text"'],
      [{ Query: query }, `Query: unknown field; use ${FIELDS}`],
      [{ query, key: 'x', operation_name: 'A' }, `key: unknown field; use ${FIELDS}; operation_name: unknown field`],
      [
        { query, variables: '{}' },
        'variables: must be an object, as in {"id": "…"}, not text; without values, leave it out',
      ],
      [{ query, variables: [] }, 'variables: must be an object, as in {"id": "…"}; without values, leave it out'],
      [{ query, operationName: 'A' }, 'operationName: must be omitted, because the operation in the query has no name'],
      [
        { query: `query A ${query}`, operationName: 'B' },
        'operationName: must be the name of an operation in the query: A',
      ],
    ])('%j: %s', async (body, message) => {
      expect(await messageOf(JSON.stringify(body))).toBe(message);
    });
  });

  it('the message about a body that is an operation says where it belongs', async () => {
    expect(await messageOf('{ viewer { keyName } }')).toMatch(/; send the operation as { "query": "…" }$/);
  });

  it('the message about the single connection of graphql-sse says how to send subscriptions', async () => {
    const { request } = await service.organization();
    const answers = [await request('PUT', '/../graphql'), await request('PUT', '/../graphql/stream')];
    for (const { json } of answers) {
      expect(json.errors[0].message).toMatch(
        /; send each operation by POST \/graphql, a subscription with Accept: text\/event-stream /,
      );
    }
  });

  it('the message about a body that is a form says that there are no uploads', async () => {
    const { key } = await service.organization();
    const { status, json } = await graphql(service.app, key).post('x', {
      'Content-Type': 'multipart/form-data; boundary=x',
    });
    expect([status, json.errors[0].message]).toEqual([
      415,
      expect.stringMatching(/not as a form; there are no uploads$/),
    ]);
  });

  it('the message about If-Match names the input field to use instead', async () => {
    const { key } = await service.organization();
    const query = 'mutation { submitPrayerRequest(input: { description: "Rain" }) { record { id } } }';
    const { status, json } = await graphql(service.app, key).post({ query }, { 'If-Match': '"a"' });
    expect([status, json.errors[0].extensions.details]).toEqual([
      400,
      [
        {
          field: 'If-Match',
          message: 'is not supported by GraphQL; use the input field expectedUpdatedAt of updateMember instead',
        },
      ],
    ]);
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
          `Node not found; ids begin with ${PREFIXES.map((prefix) => `${prefix}_`).join(', ')}`,
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
