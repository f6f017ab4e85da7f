import { createHash } from 'node:crypto';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  createApiKey,
  getApiKey,
  getApiKeyHistory,
  KeyAlreadyCreatedError,
  listApiKeys,
  parseScopes,
  revokeApiKey,
} from '../../../src/domain/admin/api-key.ts';
import { dailyUsageOfKeys } from '../../../src/domain/admin/api-key-usage.ts';
import { listAudit } from '../../../src/domain/admin/audit-log.ts';
import { ALL_SCOPES } from '../../../src/domain/core/scopes.ts';
import { newId } from '../../../src/domain/values/ids.ts';
import { sql } from '../../../src/store/sql.ts';
import { onOneDatabase } from '../../support/service.ts';

const DAY = 86_400_000;
const invalid = (field: string) =>
  expect.objectContaining({ code: 'invalid_request', message: expect.stringContaining(field) });

onOneDatabase((service) => {
  afterEach(() => {
    vi.useRealTimers();
  });

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

  it('returns the daily usage of every key of the organization', async () => {
    const { organizationId, made } = await withKey();
    await service.store.db.rows(sql`
      INSERT INTO api_key_usage (api_key_id, day, units)
      SELECT ${made.id}, (now() AT TIME ZONE 'UTC')::date - n, 10 + n FROM unnest(ARRAY[0, 2, 3]) AS n`);
    const usage = await dailyUsageOfKeys(service.store, organizationId, 3);
    const pointsOf = (id: string | undefined) =>
      usage.find(({ key_id }) => key_id === id)?.days.map(({ points }) => points);
    const other = (await listApiKeys(service.store, organizationId)).find(({ id }) => id !== made.id);
    expect([pointsOf(made.id), pointsOf(other?.id), usage.length]).toEqual([[12, 0, 10], [0, 0, 0], 2]);
    const [today] = await service.store.db.rows<{ day: string }>(sql`
      SELECT (now() AT TIME ZONE 'UTC')::date::text AS day`);
    expect(usage[0]?.days.at(-1)?.day).toBe(today?.day);
  });

  it('is stored as a SHA-256 hash only', async () => {
    const { made } = await withKey();
    const [row] = await service.store.db.rows<Record<string, unknown>>(
      sql`SELECT * FROM api_key WHERE id = ${made.id}`,
    );
    expect(row?.hash).toEqual(createHash('sha256').update(made.key).digest());
    const rows = await service.store.db.rows<{ row: string }>(
      sql`SELECT k::text AS row FROM api_key k WHERE id = ${made.id}`,
    );
    expect(rows[0]?.row).toContain(made.id);
    expect(rows[0]?.row).not.toContain(made.key.slice(4, 20));
    expect(rows[0]?.row).not.toContain(made.key.slice(20));
  });

  it.each([30, 90, 365])('expires %i days after its creation', async (days) => {
    const { made } = await withKey({ expires_in_days: days });
    expect(Date.parse(made.expires_at ?? '') - Date.parse(made.created_at)).toBe(days * DAY);
  });

  it.each([0, 1, 31, 366, -30, 30.5, '30', true])('rejects an expiry of %j days', async (expires_in_days) => {
    await expect(withKey({ expires_in_days })).rejects.toThrow(invalid('expires_in_days'));
  });

  it.each([
    ['name', { name: ' ' }],
    ['name', { name: 'x'.repeat(256) }],
    ['scopes', { scopes: [] }],
    ['scopes', { scopes: ['members.delete'] }],
    ['scopes', { scopes: ['toString'] }],
    ['hash', { hash: 'x' }],
  ])('rejects an invalid %s: %j', async (field, fields) => {
    await expect(withKey(fields)).rejects.toThrow(invalid(field));
  });

  it('rejects an unknown organization on creation and in a list', async () => {
    const organization_id = 'org_01jd0000000000000000000000';
    const missing = expect.objectContaining({ code: 'not_found', message: 'Organization not found' });
    await expect(withKey({ organization_id })).rejects.toThrow(missing);
    await expect(listApiKeys(service.store, organization_id)).rejects.toThrow(missing);
  });

  it('removes duplicate scopes', async () => {
    const { made } = await withKey({ scopes: ['forms.view', 'events.view', 'forms.view'] });
    expect(made.scopes).toEqual(['forms.view', 'events.view']);
  });

  it('is listed oldest first, with its state, in its own organization only', async () => {
    const { organizationId, made } = await withKey();
    const others = [
      await withKey({ organization_id: organizationId }),
      await withKey({ organization_id: organizationId }),
    ];
    await withKey();
    const [revoked, expired] = others.map((other) => other.made.id) as [string, string];
    await revokeApiKey(service.store, revoked, 'ada');
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
    expect((await revokeApiKey(service.store, made.id, 'ada')).state).toBe('revoked');
    const before = await getApiKeyHistory(service.store, made.id);
    expect((await revokeApiKey(service.store, made.id, 'bob')).state).toBe('revoked');
    expect(await getApiKeyHistory(service.store, made.id)).toEqual(before);
  });

  it('returns not_found for an unknown id', async () => {
    const missing = expect.objectContaining({ code: 'not_found' });
    await expect(revokeApiKey(service.store, 'key_unknown', 'ada')).rejects.toThrow(missing);
    await expect(getApiKeyHistory(service.store, 'key_unknown')).rejects.toThrow(missing);
  });

  it('lists creation, uses and revocation in its history, in order and with the actor', async () => {
    const { made } = await withKey();
    await service.store.db.rows(sql`
      UPDATE api_key SET created_at = '2026-01-01Z', first_used_at = '2026-01-02Z', last_used_at = '2026-01-03Z'
      WHERE id = ${made.id}`);
    await revokeApiKey(service.store, made.id, 'bob@example.org');
    expect(await getApiKeyHistory(service.store, made.id)).toEqual([
      { event: 'created', at: '2026-01-01T00:00:00.000Z', by: 'ada@example.org' },
      { event: 'first_used', at: '2026-01-02T00:00:00.000Z', by: null },
      { event: 'last_used', at: '2026-01-03T00:00:00.000Z', by: null },
      { event: 'revoked', at: expect.any(String), by: 'bob@example.org' },
    ]);
  });

  it('lists the expiry in its history once it has passed', async () => {
    const { made } = await withKey({ expires_in_days: 30 });
    const events = async () => (await getApiKeyHistory(service.store, made.id)).map(({ event }) => event);
    expect(await events()).toEqual(['created']);
    await service.store.db.rows(sql`UPDATE api_key SET created_at = '2020-01-01Z' WHERE id = ${made.id}`);
    await expire(made.id, '2020-01-31Z');
    expect(await events()).toEqual(['created', 'expired']);
  });

  it.each(['2099-01-01', '2000-01-01'])(
    'expires by the clock of the database when the local clock says %s',
    async (now) => {
      const { organizationId, made } = await withKey({ expires_in_days: 30 });
      const other = (await withKey({ organization_id: organizationId })).made;
      await expire(other.id, '2020-01-01Z');
      vi.useFakeTimers({ toFake: ['Date'], now: new Date(now) });
      const states = (await listApiKeys(service.store, organizationId)).slice(1).map(({ state }) => state);
      expect(states).toEqual(['active', 'expired']);
      const histories = await Promise.all([made, other].map(({ id }) => getApiKeyHistory(service.store, id)));
      expect(histories.map((history) => history.some(({ event }) => event === 'expired'))).toEqual([false, true]);
    },
  );
});

describe('scopes in the form an operator types', () => {
  it.each([
    ['all', ALL_SCOPES],
    [' all ', ALL_SCOPES],
    ['forms.view', ['forms.view']],
    ['forms.view, members.create', ['forms.view', 'members.create']],
    ['forms.view,', ['forms.view']],
  ])('are parsed from %j', (written, scopes) => {
    expect(parseScopes(written)).toEqual(scopes);
  });

  it.each(['members', 'members.delete', 'Forms.view', 'forms.view,x', 'forms.view members.view', '*', 'toString'])(
    'are rejected in %j, with a list of the valid ones',
    (written) => {
      expect(() => parseScopes(written)).toThrow(invalid('form_responses.view'));
    },
  );
});
