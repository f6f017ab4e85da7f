import { expect, it } from 'vitest';
import { graphql } from '../../support/graphql.ts';
import { onOneStore } from '../../support/service.ts';

const CREATE = 'mutation ($input: CreateMemberInput!) { createMember(input: $input) { member { id } } }';
const UPDATE = 'mutation ($input: UpdateMemberInput!) { updateMember(input: $input) { member { id } } }';
const PERSON = { firstName: 'Robin', lastName: 'Field', emailAddress: 'robin@example.org' };

onOneStore((service) => {
  /** The details of each error of a request. */
  async function detailsOf(document: string, variables?: Record<string, unknown>) {
    const { key } = await service.organization();
    const { json } = await graphql(service.app, key)(document, variables);
    for (const { extensions } of json.errors) expect(extensions.code).toBe('invalid_request');
    return json.errors.flatMap(
      ({ extensions }: { extensions: { details?: object[] } }) => extensions.details ?? [null],
    );
  }

  // The details of single mistakes: test/graphql/http/messages/requests.test.ts.
  it.each([
    ['several fields of a variable', CREATE, { input: { ...PERSON, gender: 'female', city: 5 } }, ['city', 'gender']],
    ['a null variable', CREATE, { input: null }, ['input']],
    ['an unknown field in a variable', CREATE, { input: { ...PERSON, nickname: 'Bo' } }, ['nickname']],
    ['a field set on creation only', UPDATE, { input: { id: 'mem_1', dateOfBirth: '1990-01-01' } }, ['dateOfBirth']],
    [
      'elements of a list and a value in the document',
      'mutation { updateMemberTags(input: { id: "mem_1", add: ["tag_1", {}], remove: 1.5 }) { tags { id } } }',
      undefined,
      ['add.1', 'remove'],
    ],
    [
      'fields of an element of a list in the document',
      'mutation { submitFormResponse(input: { formId: 1, answers: [{ fieldId: 1 }, { fieldId: "2" }, { field: 3 }] }) { record { id } } }',
      undefined,
      ['answers.1.fieldId', 'answers.2.field', 'answers.2.fieldId'],
    ],
    ['a missing argument', '{ member { id } }', undefined, ['id']],
    ['an unknown argument', '{ members(q: "a") { edges { cursor } } }', undefined, ['q']],
  ])('reports the field of %s', async (_, document, variables, fields) => {
    const details: { field: string }[] = await detailsOf(document, variables as Record<string, unknown>);
    expect(details.map(({ field }) => field)).toEqual(fields);
  });

  it.each([
    [120, '... on Department { members(first: 100) { nodes { id } } }'],
    [2_000, 'id'],
  ])('reports that nodes has %d ids instead of the size of the response', async (length, selection) => {
    expect(
      await detailsOf(`query ($ids: [ID!]!) { nodes(ids: $ids) { ${selection} } }`, { ids: Array(length).fill('') }),
    ).toEqual([{ field: 'ids', message: 'must contain at most 100 ids' }]);
  });

  it('returns no details for other errors', async () => {
    expect(await detailsOf('{ nothing }')).toEqual([null]);
    expect(await detailsOf('{ members { edges { node { id }')).toEqual([null]);
  });

  it('lists at most ten errors of variables, none of which contains a value', async () => {
    const { key } = await service.organization();
    const secret = 'her secret';
    const many = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`unknown${n}`, secret]));
    const input = { ...PERSON, gender: secret, city: { secret }, dateOfBirth: secret, ...many };
    const { json, text } = await graphql(service.app, key)(CREATE, { input });
    expect(json.errors).toHaveLength(11);
    expect(json.errors[10].message).toMatch(/^Too many errors/);
    expect(text).not.toContain(secret);
  });

  it('accepts variables with the names of inherited properties', async () => {
    const { key } = await service.organization();
    const query =
      'query ($__proto__: Int, $constructor: Int) { a: events(first: $__proto__) { nodes { id } } b: events(first: $constructor) { nodes { id } } }';
    const { json } = await graphql(service.app, key).post(`{"query":"${query}","variables":{"__proto__":1}}`);
    expect(json.errors).toBeUndefined();
  });

  const many = Object.fromEntries(Array.from({ length: 2_001 }, (_, n) => [`k${n}`, n]));
  const query = 'query ($ids: [ID!]! = []) { viewer { keyName } nodes(ids: $ids) { id } }';
  it.each([
    ['an object with more than 2,000 fields in variables', { query, variables: many }],
    ['a list with more than 2,000 items in variables', { query, variables: { ids: Array(2_001).fill('') } }],
    ['an object with more than 2,000 fields in extensions', { query: '{ viewer { keyName } }', extensions: many }],
  ])('rejects %s', async (_, body) => {
    const { key } = await service.organization();
    const { status, json } = await graphql(service.app, key).post(body);
    const details = [{ field: 'body', message: expect.stringContaining('2000') }];
    expect([status, json.errors[0].extensions.details]).toEqual([400, details]);
  });

  it('truncates names and values in messages', async () => {
    const [{ field, message }] = await detailsOf(CREATE, { input: { ...PERSON, [`x${'y'.repeat(5_000)}`]: 1 } });
    expect(field.length).toBeLessThanOrEqual(100);
    expect(message.length).toBeLessThanOrEqual(1_000);
  });

  it('the field of an error is not taken from the text of the request', async () => {
    const { key } = await service.organization();
    const text = 'argument "a" of type "B" is required '.repeat(200);
    const { json } = await graphql(service.app, key)(`{ members(first: """${text}""") { totalCount } }`);
    expect(json.errors[0].extensions.details[0].field).toBe('first');
  });
});
