import { expect, it } from 'vitest';
import { createKeyLookup } from '../../src/auth/key-lookup.ts';
import type { Database } from '../../src/store/database.ts';
import { sql } from '../../src/store/sql.ts';
import { expectError, recordIn } from '../support/contract.ts';
import { person } from '../support/data.ts';
import { onOneDatabase } from '../support/service.ts';
import { intercepting } from '../support/stores/intercepting.ts';

onOneDatabase((service) => {
  const setExpiry = (keyId: string, interval: string, db: Database = service.store.db) =>
    db.rows(sql`
      UPDATE api_key SET expires_at = date_trunc('milliseconds', now()) + ${interval}::interval WHERE id = ${keyId}`);

  const onUse = () => {};

  /** A lookup, and the number of statements it ran. */
  function counted() {
    const ran = { statements: 0 };
    const counting = intercepting(service.store.reserved, () => {
      ran.statements += 1;
    });
    const lookup = createKeyLookup({ reserved: counting, onUse });
    return { ran, lookup: async (key: string) => (await lookup(key, async () => true)).caller };
  }

  it('rejects a revoked key from the next request on, permanently and on every instance', async () => {
    const organization = await service.organization();
    const other = await organization.withScopes('members.view');
    const elsewhere = organization.through(service.appWith({}));
    recordIn(await organization.post('/members', person()), 201);
    recordIn(await elsewhere.post('/members', person()), 201);
    await organization.revoke();
    expectError(await organization.get('/members'), 401, 'key_revoked');
    expectError(await elsewhere.get('/members'), 401, 'key_revoked');
    expectError(await organization.post('/members', person()), 401, 'key_revoked');
    expect((await other.get('/members')).status).toBe(200);
    expect(await service.store.prisma.member.count({ where: { organizationId: organization.id } })).toBe(2);
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

  it('uses changed scopes and countries from the next request on, with one statement per request', async () => {
    const { id, key } = await service.organization();
    const { ran, lookup } = counted();
    await lookup(key);
    await service.store.db.rows(sql`UPDATE api_key SET scopes = '{forms.view}' WHERE organization_id = ${id}`);
    await service.store.db.rows(sql`UPDATE organization SET country = 'NG' WHERE id = ${id}`);
    expect(await lookup(key)).toMatchObject({ scopes: new Set(['forms.view']), organization: { country: 'NG' } });
    expect(ran.statements).toBe(2);
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
});
