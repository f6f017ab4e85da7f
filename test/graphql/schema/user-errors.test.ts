import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { createFailedRequests } from '../../../src/auth/failed-requests.ts';
import { findKeyIds } from '../../../src/domain/admin/api-key.ts';
import { listFailedRequests } from '../../../src/domain/admin/failed-request.ts';
import { sql } from '../../../src/store/sql.ts';
import { appOn } from '../../support/apps.ts';
import { person } from '../../support/data.ts';
import { codesIn, errorsIn, type GraphQLClient, graphql } from '../../support/graphql.ts';
import { onOneStore, type TestOrganization } from '../../support/service.ts';

const ERRORS = 'userErrors { field code message }';
const CREATE = `mutation ($input: CreateMemberInput!) { createMember(input: $input) { ${ERRORS} record { id } } }`;
const PRAY = `mutation ($input: SubmitPrayerRequestInput!) {
  submitPrayerRequest(input: $input) { ${ERRORS} record { id } } }`;

onOneStore((service) => {
  let organization: TestOrganization;
  let ask: GraphQLClient;
  let member: { id: string; email_address: string };
  beforeAll(async () => {
    organization = await service.organization();
    ask = graphql(service.app, organization.key);
    member = (await organization.post('/members', person())).json.data;
  });

  const named = (emailAddress: string) => ({ firstName: 'A', lastName: 'B', emailAddress });
  const existing = () => ({ input: named(member.email_address) });

  // Which errors are in the payload: test/apis/user-errors.test.ts compares them with REST for every refused write.

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
      const requests = await listFailedRequests(service.store, await findKeyIds(service.store, keyId));
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
        ['createMember', 200, 'invalid_request', 'createMember.emailAddress', 1],
        ['createMember', 200, 'member_exists', null, 1],
      ],
      [{ operation: 'createMember', result: 'member_exists' }],
    ]);
    expect(await notes(CREATE.replace(ERRORS, ''))).toEqual(inPayload);
  });
});
