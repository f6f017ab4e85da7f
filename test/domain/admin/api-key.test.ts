import { describe, expect, it } from 'vitest';
import {
  createApiKey,
  findKeyIds,
  getApiKey,
  getApiKeyHistory,
  KeyAlreadyCreatedError,
  listApiKeys,
  parseScopes,
  revokeApiKey,
  updateApiKey,
} from '../../../src/domain/admin/api-key.ts';
import { rotateApiKey } from '../../../src/domain/admin/api-key-rotation.ts';
import { getApiKeyUsage } from '../../../src/domain/admin/api-key-usage.ts';
import { listAudit } from '../../../src/domain/admin/audit-log.ts';
import { listFailedRequests } from '../../../src/domain/admin/failed-request.ts';
import { getKeyAdvice } from '../../../src/domain/admin/scope-advice.ts';
import { ALL_SCOPES } from '../../../src/domain/core/scopes.ts';
import { newId } from '../../../src/domain/values/ids.ts';
import { sql } from '../../../src/store/sql.ts';
import { onOneDatabase } from '../../support/service.ts';

const DAY = 86_400_000;
const invalid = (field: string) =>
  expect.objectContaining({ code: 'invalid_request', message: expect.stringContaining(field) });

onOneDatabase((service) => {
  async function withKey(fields: Record<string, unknown> = {}) {
    const { id } = await service.organization();
    const input = { organization_id: id, name: 'Website', scopes: ['forms.view'], expires_in_days: null, ...fields };
    return { organizationId: id, made: await createApiKey(service.store, input, 'ada@example.org') };
  }
  const expire = (id: string, at: string) =>
    service.store.db.rows(sql`UPDATE api_key SET expires_at = ${at}::timestamptz WHERE id = ${id}`);

  it('is shown once on creation, with every requested property', async () => {
    const { organizationId, made } = await withKey();
    expect(made).toEqual({
      id: expect.stringMatching(/^key_/),
      key: expect.stringMatching(/^cms_[0-9a-z]{38}$/),
      organization_id: organizationId,
      name: 'Website',
      description: null,
      scopes: ['forms.view'],
      state: 'active',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      expires_at: null,
      last_used_at: null,
      rate_limit: null,
      prefix: made.key.slice(0, 12),
      replaced_by: null,
    });
    const listed = await listApiKeys(service.store, organizationId);
    const { key, ...shown } = made;
    expect(listed.find(({ id }) => id === made.id)).toEqual(shown);
    expect(JSON.stringify(listed)).not.toContain(key);
  });

  it('is returned to its own organization only', async () => {
    const { organizationId, made } = await withKey();
    const { key: _, ...shown } = made;
    const get = (organization_id: string, id: string) => getApiKey(service.store, { organization_id, id });
    expect(await get(organizationId, made.id)).toEqual(shown);
    const { organizationId: other } = await withKey();
    for (const id of [made.id, 'key_unknown', 'a\0']) {
      await expect(get(other, id)).rejects.toMatchObject({ code: 'not_found', message: 'API key not found' });
    }
  });

  it('is created only once for a given id', async () => {
    const { organizationId } = await withKey();
    const input = { organization_id: organizationId, name: 'Once', scopes: ['forms.view'], expires_in_days: null };
    const id = newId('key');
    const make = () => createApiKey(service.store, input, 'test', { id });
    const results = await Promise.allSettled([make(), make(), make()]);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(make()).rejects.toThrow(KeyAlreadyCreatedError);
    const audit = await listAudit(service.store, { organization_id: organizationId, record_id: id, limit: 10 });
    expect(audit).toHaveLength(1);
  });

  it.each([30, 90, 365])('expires %i days after its creation', async (days) => {
    const { made } = await withKey({ expires_in_days: days });
    expect(Date.parse(made.expires_at ?? '') - Date.parse(made.created_at)).toBe(days * DAY);
  });

  it.each([0, 31, -30, '30'])('rejects an expiry of %j days', async (expires_in_days) => {
    await expect(withKey({ expires_in_days })).rejects.toThrow(invalid('expires_in_days'));
  });

  it.each([
    ['name', { name: ' ' }],
    ['scopes', { scopes: [] }],
    ['scopes', { scopes: ['members.delete'] }],
    ['hash', { hash: 'x' }],
  ])('rejects an invalid %s: %j', async (field, fields) => {
    await expect(withKey(fields)).rejects.toThrow(invalid(field));
  });

  it('is listed oldest first, with its state, in its own organization only', async () => {
    const { organizationId, made } = await withKey();
    const others = [
      await withKey({ organization_id: organizationId }),
      await withKey({ organization_id: organizationId }),
    ];
    await withKey();
    const [revoked, expired] = others.map((other) => other.made.id) as [string, string];
    await revokeApiKey(service.store, await findKeyIds(service.store, revoked), 'ada');
    await expire(expired, '2020-01-01Z');
    const listed = (await listApiKeys(service.store, organizationId)).slice(1);
    expect(listed.map(({ id, state }) => [id, state])).toEqual([
      [made.id, 'active'],
      [revoked, 'revoked'],
      [expired, 'expired'],
    ]);
  });

  it('is revoked permanently; a second revocation changes neither time nor actor', async () => {
    const { made } = await withKey();
    expect((await revokeApiKey(service.store, made, 'ada')).state).toBe('revoked');
    const before = await getApiKeyHistory(service.store, made);
    expect((await revokeApiKey(service.store, made, 'bob')).state).toBe('revoked');
    expect(await getApiKeyHistory(service.store, made)).toEqual(before);
  });

  it('of another organization is as unknown as one that does not exist, in each function', async () => {
    const { made } = await withKey();
    const { organizationId: organization_id } = await withKey();
    const before = await getApiKey(service.store, made);
    const refusals = async (id: string) => {
      const [{ store }, ids] = [service, { organization_id, id }];
      const results = await Promise.allSettled([
        getApiKey(store, ids),
        updateApiKey(store, { ...ids, name: 'Changed' }, 'test'),
        revokeApiKey(store, ids, 'test'),
        rotateApiKey(store, ids, { overlap_hours: 0 }, 'test'),
        getApiKeyHistory(store, ids),
        getApiKeyUsage(store, ids, { days: 1 }),
        getKeyAdvice(store, ids),
        listFailedRequests(store, ids),
      ]);
      return results.map((result) => result.status === 'rejected' && String(result.reason));
    };
    const foreign = await refusals(made.id);
    expect(new Set(foreign)).toEqual(new Set(['ServiceError: API key not found']));
    expect(foreign).toEqual(await refusals('key_unknown'));
    expect(await getApiKey(service.store, made)).toEqual(before);
    await expect(findKeyIds(service.store, 'key_unknown')).rejects.toMatchObject({ code: 'not_found' });
  });

  it('lists creation, uses, expiry and revocation in its history, in order and with the actor', async () => {
    const { made } = await withKey({ expires_in_days: 30 });
    await service.store.db.rows(sql`
      UPDATE api_key SET created_at = '2026-01-01Z', first_used_at = '2026-01-02Z', last_used_at = '2026-01-03Z'
      WHERE id = ${made.id}`);
    await expire(made.id, '2026-01-04Z');
    await revokeApiKey(service.store, made, 'bob@example.org');
    expect(await getApiKeyHistory(service.store, made)).toEqual([
      { event: 'created', at: '2026-01-01T00:00:00.000Z', by: 'ada@example.org' },
      { event: 'first_used', at: '2026-01-02T00:00:00.000Z', by: null },
      { event: 'last_used', at: '2026-01-03T00:00:00.000Z', by: null },
      { event: 'expired', at: '2026-01-04T00:00:00.000Z', by: null },
      { event: 'revoked', at: expect.any(String), by: 'bob@example.org' },
    ]);
  });
});

describe('scopes in the form an operator types', () => {
  it.each([
    [' all ', ALL_SCOPES],
    ['forms.view, members.create,', ['forms.view', 'members.create']],
  ])('are parsed from %j', (written, scopes) => {
    expect(parseScopes(written)).toEqual(scopes);
  });

  it.each(['members', 'Forms.view', 'forms.view,x', '*', 'toString'])(
    'are rejected in %j, with a list of the valid ones',
    (written) => {
      expect(() => parseScopes(written)).toThrow(invalid('form_responses.view'));
    },
  );
});
