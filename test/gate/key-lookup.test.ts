import { expect, it } from 'vitest';
import { createApiKey } from '../../src/domain/api-key.ts';
import { newKey } from '../../src/domain/api-key-secret.ts';
import { createKeyLookup } from '../../src/gate/key-lookup.ts';
import type { Database } from '../../src/store/database.ts';
import { sql } from '../../src/store/sql.ts';
import { client } from '../support/client.ts';
import { expectError, recordIn } from '../support/contract.ts';
import { person, times } from '../support/data.ts';
import { onEachStore } from '../support/service.ts';

onEachStore((service) => {
  const setExpiry = (keyId: string, interval: string, db: Database = service.store.db) =>
    db.rows(sql`
      UPDATE api_key SET expires_at = date_trunc('milliseconds', now()) + ${interval}::interval WHERE id = ${keyId}`);

  /** A lookup on the store, and how many statements it ran. */
  function counted() {
    const ran: string[] = [];
    const { db } = service.store;
    const rows: Database['rows'] = (statement) => {
      ran.push(statement.text);
      return db.rows(statement);
    };
    return { ran, lookup: createKeyLookup({ ...db, rows }) };
  }

  it('refuses a request without a key', async () => {
    expectError(await client(service.app).get('/members'), 401, 'missing_api_key');
    expectError(await client(service.app, '').get('/members'), 401, 'missing_api_key');
  });

  it('refuses a key that no key on file is', async () => {
    await service.organization();
    for (const key of [newKey(), 'nonsense', 'cms_', `cms_${'0'.repeat(38)}`]) {
      expectError(await client(service.app, key).get('/members'), 401, 'invalid_api_key');
    }
  });

  it('refuses a revoked key from the next request on, on every instance, for good', async () => {
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

  it('goes on with the other keys of an organization when one is revoked', async () => {
    const organization = await service.organization();
    const other = await organization.withScopes('members.view');
    await organization.revoke();
    expect((await other.get('/members')).status).toBe(200);
  });

  it('refuses a key whose expiry has passed', async () => {
    const organization = await service.organization();
    await setExpiry(organization.keyId, '-1 second');
    expectError(await organization.get('/members'), 401, 'key_expired');
  });

  it('takes a key whose expiry is to come', async () => {
    const organization = await service.organization();
    await setExpiry(organization.keyId, '1 minute');
    expect((await organization.get('/members')).status).toBe(200);
  });

  it('takes a key to the last millisecond before its expiry, and refuses it from that very one on', async () => {
    const { key, keyId } = await service.organization();
    // Within one transaction the database's clock stands still.
    await service.store.db.transaction(async (transaction) => {
      const lookup = createKeyLookup(transaction);
      await setExpiry(keyId, '1 millisecond', transaction);
      expect((await lookup(key)).keyId).toBe(keyId);
      await setExpiry(keyId, '0', transaction);
      await expect(lookup(key)).rejects.toMatchObject({ code: 'key_expired' });
    });
  });

  it('finds the caller with its organization, its scopes and its expiry', async () => {
    const { id } = await service.organization({ country: 'NG' });
    const input = { organization_id: id, name: 'Website', scopes: ['forms.view', 'events.view'], expires_in_days: 30 };
    const made = await createApiKey(service.store, input, 'test');
    expect(await createKeyLookup(service.store.db)(made.key)).toEqual({
      keyId: made.id,
      keyName: 'Website',
      scopes: new Set(['forms.view', 'events.view']),
      expiresAt: made.expires_at,
      usedBefore: false,
      organization: { id, name: 'Test organization', country: 'NG' },
    });
  });

  it('finds each of many keys that come at once, by one statement', async () => {
    const organizations = await Promise.all(times(5, () => service.organization()));
    const { ran, lookup } = counted();
    const asked = times(50, (n) => organizations[n % 5]);
    const unknown = lookup(newKey()).catch((error) => error.code);
    const callers = await Promise.all(asked.map((organization) => lookup(organization?.key ?? '')));
    expect(callers.map(({ keyId }) => keyId)).toEqual(asked.map((organization) => organization?.keyId));
    expect(await unknown).toBe('invalid_api_key');
    expect(ran).toHaveLength(1);
  });

  it('keeps nothing: asks the database anew for the next request', async () => {
    const { key } = await service.organization();
    const { ran, lookup } = counted();
    for (const _ of [1, 2, 3]) await lookup(key);
    expect(ran).toHaveLength(3);
  });

  it('does not ask the database for what has not the form and checksum of a key', async () => {
    const { key } = await service.organization();
    const { ran, lookup } = counted();
    const mistyped = key.slice(0, -1) + (key.endsWith('0') ? '1' : '0');
    for (const wrong of ['', 'nonsense', mistyped, key.slice(1), `${key}0`, ` ${key}`, key.toUpperCase()]) {
      await expect(lookup(wrong)).rejects.toMatchObject({ code: 'invalid_api_key' });
    }
    expect(ran).toEqual([]);
  });
});
