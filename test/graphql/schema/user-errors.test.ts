import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { createFailedRequests } from '../../../src/auth/failed-requests.ts';
import { listFailedRequests } from '../../../src/domain/admin/failed-request.ts';
import { sql } from '../../../src/store/sql.ts';
import { appOn } from '../../support/apps.ts';
import { person } from '../../support/data.ts';
import { codesIn, errorsIn, type GraphQLClient, graphql } from '../../support/graphql.ts';
import { recordsOf } from '../../support/records.ts';
import { onOneStore, type TestOrganization } from '../../support/service.ts';

const ERRORS = 'userErrors { field code message }';
const CREATE = `mutation ($input: CreateMemberInput!) { createMember(input: $input) { ${ERRORS} record { id } } }`;
const UPDATE = `mutation ($input: UpdateMemberInput!) { updateMember(input: $input) { ${ERRORS} record { city } } }`;
const TAGS = `mutation ($input: UpdateMemberTagsInput!) {
  updateMemberTags(input: $input) { ${ERRORS} member { id } tags { id } ignoredTagIds } }`;
const SUBMIT = `mutation ($input: SubmitFormResponseInput!) {
  submitFormResponse(input: $input) { ${ERRORS} record { id } } }`;
const PRAY = `mutation ($input: SubmitPrayerRequestInput!) {
  submitPrayerRequest(input: $input) { ${ERRORS} record { id } } }`;

interface Payload {
  readonly userErrors: readonly { readonly code: string; readonly field: readonly string[] }[];
}

onOneStore((service) => {
  let organization: TestOrganization;
  let ask: GraphQLClient;
  let member: { id: string; email_address: string };
  let other: { id: string; email_address: string };
  let form: { id: number };
  let question: { id: number };
  let closed: { id: number };
  beforeAll(async () => {
    organization = await service.organization();
    ask = graphql(service.app, organization.key);
    member = (await organization.post('/members', person())).json.data;
    other = (await organization.post('/members', person())).json.data;
    const records = recordsOf(service, organization.id);
    form = await records.form({ isPublished: true, acceptingResponse: true });
    question = await records.formField(form.id, { fieldType: 'number' });
    closed = await records.form({ isPublished: false });
  });

  const named = (emailAddress: string) => ({ firstName: 'A', lastName: 'B', emailAddress });
  const existing = () => ({ input: named(member.email_address) });

  /** Rejected mutations, with the codes and fields of their errors. */
  const refusals: [name: string, query: string, input: () => object, errors: () => [string, string[]][]][] = [
    ['an existing member', CREATE, () => named(member.email_address), () => [['member_exists', ['emailAddress']]]],
    [
      'two invalid fields',
      CREATE,
      () => ({ ...named('@'), firstName: ' ' }),
      () => ['firstName', 'emailAddress'].map((field) => ['invalid_request', [field]]),
    ],
    [
      'an invalid phone number',
      UPDATE,
      () => ({ id: other.id, phoneNumber: 'none' }),
      () => [['invalid_request', ['phoneNumber']]],
    ],
    ['an unknown member', UPDATE, () => ({ id: 'mem_unknown', city: 'Rome' }), () => [['not_found', ['id']]]],
    [
      'an address in use',
      UPDATE,
      () => ({ id: other.id, emailAddress: member.email_address }),
      () => [['email_in_use', ['emailAddress']]],
    ],
    [
      'an unknown designation',
      UPDATE,
      () => ({ id: other.id, designationId: 'des_x' }),
      () => [['invalid_request', ['designationId']]],
    ],
    ['tags of an unknown member', TAGS, () => ({ id: 'mem_unknown', add: [] }), () => [['not_found', ['id']]]],
    [
      'an overlong tag id',
      TAGS,
      () => ({ id: other.id, add: ['a', 'x'.repeat(256)] }),
      () => [['invalid_request', ['add', '1']]],
    ],
    ['an unknown form', SUBMIT, () => ({ formId: 0, answers: [] }), () => [['not_found', ['formId']]]],
    ['a closed form', SUBMIT, () => ({ formId: closed.id, answers: [] }), () => [['form_closed', ['formId']]]],
    [
      'an answer of the wrong type',
      SUBMIT,
      () => ({ formId: form.id, answers: [{ fieldId: question.id, value: 'many' }] }),
      () => [['invalid_request', ['answers', String(question.id)]]],
    ],
    ['a blank prayer request', PRAY, () => ({ description: ' ' }), () => [['invalid_request', ['description']]]],
  ];

  it.each(refusals)('returns %s in the payload, with null and empty lists', async (_name, query, input, errors) => {
    const { status, json } = await ask(query, { input: input() });
    expect([status, json.errors]).toEqual([200, undefined]);
    const [{ userErrors, ...others }] = Object.values(json.data) as [Payload];
    const expected = errors().map(([code, field]) => ({ code, field, message: expect.stringMatching(/\w/) }));
    expect(userErrors).toEqual(expected);
    for (const value of Object.values(others)) expect(value ?? []).toEqual([]);
    expect(json.extensions.rateLimit.cost).toBe(1);
  });

  it.each(refusals)('returns %s as an error if userErrors is not selected', async (_name, query, input, errors) => {
    const plain = query.replace(ERRORS, '__typename');
    const answer = await ask(plain, { input: input() });
    const [[name]] = Object.entries(answer.json.data) as [[string, unknown]];
    expect([answer.status, answer.json.data]).toEqual([200, { [name]: null }]);
    expect(errorsIn(answer)).toEqual([{ code: errors()[0]?.[0], path: name }]);
  });

  it('returns an error beside a non-null field of the payload, with the path of the mutation', async () => {
    const answer = await ask(CREATE.replace('record {', 'member {'), existing());
    expect(answer.json.data).toEqual({ createMember: null });
    expect(errorsIn(answer)).toEqual([{ code: 'member_exists', path: 'createMember' }]);
  });

  it('returns an empty list and the record for a success, in both of its fields', async () => {
    const query = CREATE.replace('record {', 'member { id } record {');
    const { json } = await ask(query, { input: named(person().email_address) });
    const { userErrors, record, member: same } = json.data.createMember;
    expect([userErrors, record]).toEqual([[], same]);
    expect(record.id).toMatch(/^mem_/);
  });

  it('keeps errors that users cannot resolve: scopes, idempotency conflicts, invalid types', async () => {
    const viewing = graphql(service.app, (await organization.withScopes('members.view')).key);
    const key = { 'Idempotency-Key': randomUUID() };
    await ask(PRAY, { input: { description: 'Rain' } }, key);
    const answers = [
      await viewing(CREATE, existing()),
      await ask(CREATE, existing(), { 'Idempotency-Key': 'a b' }),
      await ask(PRAY, { input: { description: 'Sun' } }, key),
      await ask(CREATE, { input: { firstName: 1 } }),
    ];
    expect(answers.map((answer) => [answer.json.data, codesIn(answer)[0]])).toEqual([
      [{ createMember: null }, 'missing_scope'],
      [{ createMember: null }, 'invalid_request'],
      [{ submitPrayerRequest: null }, 'idempotency_conflict'],
      [undefined, 'invalid_request'],
    ]);
  });

  it('applies to each mutation separately, and executes those after a rejected one', async () => {
    const query = `mutation ($in: CreateMemberInput!) {
      a: createMember(input: $in) { ${ERRORS} }
      b: createMember(input: $in) { record { id } }
      c: updateMember(input: { id: "${other.id}", city: "Troy" }) { userErrors { code } record { city } }
      d: createMember(input: $in) { mistakes: userErrors { why: code } } }`;
    const answer = await ask(query, { in: existing().input });
    expect(answer.json.data).toEqual({
      a: { userErrors: [{ code: 'member_exists', field: ['emailAddress'], message: expect.any(String) }] },
      b: null,
      c: { userErrors: [], record: { city: 'Troy' } },
      d: { mistakes: [{ why: 'member_exists' }] },
    });
    expect(errorsIn(answer)).toEqual([{ code: 'member_exists', path: 'b' }]);
    expect(answer.json.extensions.rateLimit.cost).toBe(4);
  });

  it('replays the same error to a retry, with or without userErrors and in either API', async () => {
    const headers = { 'Idempotency-Key': randomUUID() };
    const { firstName: first_name, lastName: last_name, emailAddress: email_address } = existing().input;
    const first = await organization.post('/members', { first_name, last_name, email_address }, headers);
    const again = await ask(CREATE, existing(), headers);
    const plain = await ask(CREATE.replace(ERRORS, ''), existing(), headers);
    expect(first.json.error.code).toBe('member_exists');
    expect(again.json.data.createMember.userErrors).toMatchObject([
      { code: 'member_exists', message: first.json.error.message },
    ]);
    expect(codesIn(plain)).toEqual(['member_exists']);
    expect([again, plain].map((answer) => answer.headers.get('Idempotency-Replayed'))).toEqual(['true', 'true']);
  });

  it('writes the same audit entries and failed requests with and without userErrors', async () => {
    const failedRequests = createFailedRequests(service.store.db, () => {});
    const app = appOn(service, { failedRequests });
    const notes = async (query: string) => {
      const { id, key, keyId, post } = await service.organization({ app });
      const body = person();
      await post('/members', body);
      const invalid = { input: named('@') };
      await graphql(app, key)(query, { input: named(body.email_address) });
      await graphql(app, key)(query, invalid);
      await failedRequests.flush();
      const requests = await listFailedRequests(service.store, keyId);
      const entries = await service.store.db.rows(sql`
        SELECT operation, result FROM audit_entry WHERE organization_id = ${id} AND channel = 'graphql' ORDER BY id`);
      return [
        requests.map(({ operation, status, code, field, cost }) => [operation, status, code, field, cost]),
        entries,
      ];
    };
    const inPayload = await notes(CREATE);
    expect(inPayload).toEqual([
      [
        ['createMember', 200, 'invalid_request', 'emailAddress', 1],
        ['createMember', 200, 'member_exists', null, 1],
      ],
      [{ operation: 'createMember', result: 'member_exists' }],
    ]);
    expect(await notes(CREATE.replace(ERRORS, ''))).toEqual(inPayload);
  });

  it('returns errors of a persisted operation in the payload', async () => {
    const persistedOperations = { mode: 'only', documents: new Map([['create', CREATE]]) } as const;
    const persisted = graphql(appOn(service, { persistedOperations }), organization.key);
    const { json } = await persisted.post({ documentId: 'create', variables: existing() });
    expect(json.data.createMember.userErrors).toMatchObject([{ code: 'member_exists' }]);
  });

  it('reports at most 50 errors, and the number of the others', async () => {
    const add = Array.from({ length: 70 }, () => 'x'.repeat(256));
    const { userErrors } = (await ask(TAGS, { input: { id: other.id, add } })).json.data.updateMemberTags;
    expect(userErrors).toHaveLength(50);
    expect(userErrors.at(-1)).toEqual({ field: null, code: 'invalid_request', message: 'has 21 more errors' });
  });
});
