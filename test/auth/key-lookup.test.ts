import { expect, it } from 'vitest';
import { createKeyLookup } from '../../src/auth/key-lookup.ts';
import { createApiKey } from '../../src/domain/admin/api-key.ts';
import { newKey } from '../../src/domain/admin/api-key-secret.ts';
import { createMemoryRateLimiter } from '../../src/rate-limit/rate-limiter.ts';
import type { Database } from '../../src/store/database.ts';
import { sql } from '../../src/store/sql.ts';
import { client } from '../support/client.ts';
import { expectError, recordIn } from '../support/contract.ts';
import { person, times } from '../support/data.ts';
import { graphql } from '../support/graphql.ts';
import { onEachStore } from '../support/service.ts';

onEachStore((service) => {
  const setExpiry = (keyId: string, interval: string, db: Database = service.store.db) =>
    db.rows(sql`
      UPDATE api_key SET expires_at = date_trunc('milliseconds', now()) + ${interval}::interval WHERE id = ${keyId}`);

  const onUse = () => {};

  /** A lookup, and the number of statements it ran. */
  function counted() {
    const ran = { statements: 0 };
    const { reserved } = service.store;
    const counting: Database = {
      ...reserved,
      rows: (statement) => {
        ran.statements += 1;
        return reserved.rows(statement);
      },
    };
    const lookup = createKeyLookup({ reserved: counting, onUse });
    return { ran, lookup: (key: string, hasBudget = true) => lookup(key, async () => hasBudget) };
  }

  it('rejects a request without a key', async () => {
    expectError(await client(service.app).get('/members'), 401, 'missing_api_key');
    expectError(await client(service.app, '').get('/members'), 401, 'missing_api_key');
  });

  it('rejects an unknown key', async () => {
    await service.organization();
    for (const key of [newKey(), 'nonsense', 'cms_', `cms_${'0'.repeat(38)}`]) {
      expectError(await client(service.app, key).get('/members'), 401, 'invalid_api_key');
    }
  });

  it('rejects a revoked key from the next request on, permanently and on every instance', async () => {
    const organization = await service.organization();
    const elsewhere = organization.through(service.appWith({}));
    recordIn(await organization.post('/members', person()), 201);
    recordIn(await elsewhere.post('/members', person()), 201);
    await organization.revoke();
    expectError(await organization.get('/members'), 401, 'key_revoked');
    expectError(await elsewhere.get('/members'), 401, 'key_revoked');
    expectError(await organization.post('/members', person()), 401, 'key_revoked');
    expect(await service.store.prisma.member.count({ where: { organizationId: organization.id } })).toBe(2);
  });

  it('rejects every operation of a revoked key, without executing it', async () => {
    const organization = await service.organization();
    expect((await organization.get('/members')).status).toBe(200);
    await organization.revoke();
    const input = person();
    const wrongMethod = await organization.request('DELETE', '/members');
    expectError(wrongMethod, 401, 'key_revoked');
    expect(wrongMethod.headers.get('Allow')).toBeNull();
    expect(wrongMethod.headers.get('X-RateLimit-Remaining')).not.toBeNull();
    const created = await graphql(service.app, organization.key)(
      'mutation ($input: CreateMemberInput!) { createMember(input: $input) { member { id } } }',
      { input: { firstName: input.first_name, lastName: input.last_name, emailAddress: input.email_address } },
    );
    expect([created.status, created.json.data]).toEqual([401, undefined]);
    expect(await service.store.prisma.member.count({ where: { organizationId: organization.id } })).toBe(0);
  });

  it('returns no Retry-After for a revoked key over its rate limit', async () => {
    const app = service.appWith({ rateLimiter: createMemoryRateLimiter(1) });
    const organization = await service.organization({ app });
    expect((await organization.get('/members')).status).toBe(200);
    expect((await organization.get('/members')).headers.get('Retry-After')).not.toBeNull();
    await organization.revoke();
    const refused = await organization.get('/members');
    expectError(refused, 401, 'key_revoked');
    expect(refused.headers.get('Retry-After')).toBeNull();
  });

  it('continues to accept the other keys of an organization when one is revoked', async () => {
    const organization = await service.organization();
    const other = await organization.withScopes('members.view');
    await organization.revoke();
    expect((await other.get('/members')).status).toBe(200);
  });

  it('rejects an expired key', async () => {
    const organization = await service.organization();
    await setExpiry(organization.keyId, '-1 second');
    expectError(await organization.get('/members'), 401, 'key_expired');
  });

  it('accepts a key that expires in the future', async () => {
    const organization = await service.organization();
    await setExpiry(organization.keyId, '1 minute');
    expect((await organization.get('/members')).status).toBe(200);
  });

  it('accepts a key up to the last millisecond before its expiry, and rejects it from then on', async () => {
    const { key, keyId } = await service.organization();
    // The database's clock does not advance within a transaction.
    await service.store.db.transaction(async (transaction) => {
      const hasBudget = async () => true;
      const lookup = createKeyLookup({ reserved: transaction, onUse });
      await setExpiry(keyId, '1 millisecond', transaction);
      await lookup(key, hasBudget);
      await setExpiry(keyId, '0', transaction);
      await expect(lookup(key, hasBudget)).rejects.toMatchObject({ code: 'key_expired' });
    });
  });

  it('returns the caller with its organization and scopes', async () => {
    const { id } = await service.organization({ country: 'NG' });
    const input = { organization_id: id, name: 'Website', scopes: ['forms.view', 'events.view'], expires_in_days: 30 };
    const made = await createApiKey(service.store, input, 'test');
    const caller = await createKeyLookup({ ...service.store, onUse })(made.key, async () => true);
    expect(caller).toEqual({
      keyId: made.id,
      scopes: new Set(['forms.view', 'events.view']),
      organization: { id, country: 'NG', timeZone: 'UTC' },
    });
  });

  it('looks up many concurrent keys in one statement', async () => {
    const organizations = await Promise.all(times(5, () => service.organization()));
    const { ran, lookup } = counted();
    const asked = times(50, (n) => organizations[n % 5]);
    const unknown = lookup(newKey()).catch((error) => error.code);
    const found = await Promise.all(asked.map((organization) => lookup(organization?.key ?? '')));
    expect(found.map(({ keyId }) => keyId)).toEqual(asked.map((organization) => organization?.keyId));
    expect(await unknown).toBe('invalid_api_key');
    expect(ran.statements).toBe(1);
  });

  it('checks a key with one statement per request', async () => {
    const { key } = await service.organization();
    const { ran, lookup } = counted();
    for (const _ of [1, 2, 3]) await lookup(key);
    expect(ran.statements).toBe(3);
  });

  it('does not defer a key that was valid before', async () => {
    const { key, keyId } = await service.organization();
    const { lookup } = counted();
    await lookup(key);
    const startedAt = performance.now();
    expect(await lookup(key, false)).toMatchObject({ keyId });
    expect(performance.now() - startedAt).toBeLessThan(1_000);
  });

  it('uses changed scopes and countries from the next request on', async () => {
    const { id, key } = await service.organization();
    const { lookup } = counted();
    await lookup(key);
    await service.store.db.rows(sql`UPDATE api_key SET scopes = '{forms.view}' WHERE organization_id = ${id}`);
    await service.store.db.rows(sql`UPDATE organization SET country = 'NG' WHERE id = ${id}`);
    expect(await lookup(key)).toMatchObject({ scopes: new Set(['forms.view']), organization: { country: 'NG' } });
  });

  it('sends no statement for a malformed key or a wrong checksum', async () => {
    const { key } = await service.organization();
    const { ran, lookup } = counted();
    const mistyped = key.slice(0, -1) + (key.endsWith('0') ? '1' : '0');
    for (const wrong of ['', 'nonsense', mistyped, key.slice(1), `${key}0`, ` ${key}`, key.toUpperCase()]) {
      await expect(lookup(wrong)).rejects.toMatchObject({ code: 'invalid_api_key' });
    }
    expect(ran.statements).toBe(0);
  });

  it('looks up keys of rate-limited addresses in one statement per second, and finds the valid one', async () => {
    const organization = await service.organization();
    const { ran, lookup } = counted();
    const refused: Promise<string>[] = [];
    const found = lookup(organization.key, false);
    for (const key of times(20, newKey)) {
      refused.push(
        lookup(key, false).then(
          () => 'found',
          ({ code }) => code,
        ),
      );
      for (const _ of times(3, (n) => n)) await new Promise((resolve) => setImmediate(resolve));
    }
    expect(new Set(await Promise.all(refused))).toEqual(new Set(['invalid_api_key']));
    expect((await found).keyId).toBe(organization.keyId);
    expect(ran.statements).toBe(1);
  });
});
