import { beforeAll, expect, it } from 'vitest';
import { createApiKey } from '../../../src/domain/admin/api-key.ts';
import { rotateApiKey } from '../../../src/domain/admin/api-key-rotation.ts';
import type { ErrorCode } from '../../../src/domain/core/errors.ts';
import { ALL_SCOPES, type Scope } from '../../../src/domain/core/scopes.ts';
import { STATUS_OF_CODE } from '../../../src/http/response/error-status.ts';
import { sql } from '../../../src/store/sql.ts';
import { appOn, recordingLog, UNCOUNTED } from '../../support/apps.ts';
import { type Answer, client } from '../../support/client.ts';
import { expectError, expectInvalid } from '../../support/contract.ts';
import { person } from '../../support/data.ts';
import { codesIn, graphql } from '../../support/graphql.ts';
import { onOneStore } from '../../support/service.ts';
import { statementsDuring } from '../../support/stores/statements.ts';
import { PROVOCATIONS } from './provoked.ts';
import { createWorld, senderOf, type World } from './world.ts';

const CODES = Object.keys(STATUS_OF_CODE) as ErrorCode[];
const CASES = CODES.flatMap((code) =>
  (['rest', 'graphql'] as const).flatMap((api) => {
    const provocation = PROVOCATIONS[code]?.[api];
    return provocation ? [[code, api, provocation] as const] : [];
  }),
);

/** Replaces the values of an error that depend on the request: messages, invalid fields and times. */
function withoutSpecifics(value: unknown, name = ''): unknown {
  if (name === 'message') return typeof value;
  if (name === 'details') return 'details';
  if (name === 'resetAt') return typeof value;
  if (Array.isArray(value)) return value.map((one) => withoutSpecifics(one));
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value).map(([key, one]) => [key, withoutSpecifics(one, key)]);
}

function shown({ status, headers, json }: Answer) {
  const { 'x-request-id': _, ...others } = Object.fromEntries(headers);
  return { status, headers: others, body: withoutSpecifics(json) };
}

onOneStore((service) => {
  const keyOf = (organization_id: string, rehearsal: boolean, scopes: readonly Scope[] = ALL_SCOPES) =>
    createApiKey(
      service.store,
      { organization_id, name: 'Tests', scopes: [...scopes], expires_in_days: null, rehearsal },
      'cli:test',
      { maxActive: 1_000 },
    );

  it('covers every error code', () => {
    expect(CODES.filter((code) => !PROVOCATIONS[code])).toEqual([]);
  });

  let world: World;
  beforeAll(async () => {
    world = await createWorld(service);
  });

  it.each(CASES)('rehearses %s in %s exactly like the real error', async (code, api, { send, ...circumstances }) => {
    const { organization } = world;
    const real = await senderOf(service, world, circumstances, (scopes) => keyOf(organization.id, false, scopes));
    const rehearsing = await senderOf(service, world, {}, () => keyOf(organization.id, true), { Rehearse: code });
    const [expected, answer] = [await send(real, world, true), await send(rehearsing, world, false)];
    const codeIn = api === 'rest' ? expected.json.error.code : codesIn(expected)[0];
    expect(codeIn).toBe(code);
    expect(shown(answer)).toEqual(shown(expected));
  });

  it.each(CODES)('changes nothing when writes rehearse %s', async (code) => {
    const { id } = await service.organization();
    const { key } = await keyOf(id, true);
    const app = appOn(service, { keyUsage: UNCOUNTED });
    const headers = { Rehearse: code, 'Idempotency-Key': 'one' };
    const { post } = client(app, key);
    await post('/members', {}, headers);
    const statements = await statementsDuring(async () => {
      await post('/members', person(), headers);
      await post('/prayer-requests', { description: 'Rain' }, headers);
      await graphql(app, key)(
        'mutation($input: SubmitPrayerRequestInput!) { submitPrayerRequest(input: $input) { prayerRequest { id } } }',
        { input: { description: 'Rain' } },
        headers,
      );
    });
    expect(statements.filter((text) => !text.includes('api_key'))).toEqual([]);
    const { db } = service.store;
    const [rows] = await db.rows(sql`
      SELECT (SELECT count(*)::int FROM member WHERE organization_id = ${id}) AS members,
        (SELECT count(*)::int FROM prayer_request WHERE organization_id = ${id}) AS prayer_requests,
        (SELECT count(*)::int FROM idempotency_record WHERE organization_id = ${id}) AS idempotency_records,
        (SELECT count(*)::int FROM audit_entry WHERE organization_id = ${id} AND api_key_id IS NOT NULL) AS entries`);
    expect(rows).toEqual({ members: 0, prayer_requests: 0, idempotency_records: 0, entries: 0 });
  });

  it('rejects the header with any other key, without writing', async () => {
    const organization = await service.organization();
    const headers = { Rehearse: 'member_exists' };
    expectInvalid(await organization.post('/members', person(), headers), 'Rehearse');
    const answer = await graphql(service.app, organization.key)('{ viewer { keyName } }', undefined, headers);
    expect([answer.status, codesIn(answer)]).toEqual([400, ['invalid_request']]);
    expect((await organization.get('/members')).json.data).toEqual([]);
  });

  it('checks the path, the method and the scope before the header', async () => {
    const organization = await service.organization();
    const headers = { Rehearse: 'member_exists' };
    expectError(await organization.get('/nowhere', headers), 404, 'not_found');
    expectError(await organization.request('DELETE', '/members', { headers }), 405, 'method_not_allowed');
    const other = await organization.withScopes('forms.view');
    expectError(await other.get('/members', headers), 403, 'missing_scope');
  });

  it.each(['teapot', 'slow=0', 'slow=30001', 'slow=1e3', 'slow', '', 'query_too_complex', 'not_found, not_found'])(
    'rejects the value %j in REST, and lists the valid ones',
    async (value) => {
      const { id } = await service.organization();
      const { key } = await keyOf(id, true);
      const answer = await client(service.app, key).post('/members', person(), { Rehearse: value });
      expectInvalid(answer, 'Rehearse');
      expect(answer.json.error.message).toMatch(/one of invalid_request, .*unavailable, or slow= and 1 to 30000/);
    },
  );

  it('executes requests without the header normally', async () => {
    const { id } = await service.organization();
    const { key } = await keyOf(id, true);
    expect((await client(service.app, key).post('/members', person())).status).toBe(201);
  });

  it('is kept by rotation, returned by viewer and audited', async () => {
    const { id } = await service.organization();
    const created = await keyOf(id, true);
    const rotated = await rotateApiKey(service.store, created.id, { overlap_hours: 0 }, 'cli:test');
    expect(rotated.rehearsal).toBe(true);
    const { json } = await graphql(service.app, rotated.key)('{ viewer { key { rehearsal } } }');
    expect(json.data.viewer.key.rehearsal).toBe(true);
    const [entry] = await service.store.db.rows(sql`
      SELECT operation FROM audit_entry WHERE organization_id = ${id} AND record_id = ${created.id}
      ORDER BY id LIMIT 1`);
    expect(entry).toEqual({ operation: 'createRehearsalKey' });
  });

  it('is logged separately from other requests, and never at error level', async () => {
    const { id } = await service.organization();
    const { key } = await keyOf(id, true);
    const { log, lines } = recordingLog();
    const app = appOn(service, { log });
    await client(app, key).get('/tags', { Rehearse: 'internal_error' });
    await graphql(app, key)('{ viewer { keyName } }', undefined, { Rehearse: 'internal_error' });
    expect(lines.map(({ operation, code, level }) => ({ operation, code, level }))).toEqual([
      { operation: 'rehearsal', code: 'internal_error', level: 30 },
      { operation: 'rehearsal', code: 'internal_error', level: 30 },
    ]);
  });
});
