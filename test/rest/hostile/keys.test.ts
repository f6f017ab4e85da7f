import { afterEach, expect, it, vi } from 'vitest';
import { newKey } from '../../../src/domain/admin/api-key-secret.ts';
import { sql } from '../../../src/store/sql.ts';
import { appOn } from '../../support/apps.ts';
import { client } from '../../support/client.ts';
import { person } from '../../support/data.ts';
import { expectCounted, expectRefusal } from '../../support/requests/refusal.ts';
import { onOneStore } from '../../support/service.ts';
import { pausing } from '../../support/stores/intercepting.ts';

onOneStore((service) => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it.each(['api_key', 'apiKey', 'x-api-key', 'X-Api-Key', 'key', 'access_token'])(
    'ignores a key in the query parameter %s',
    async (name) => {
      const { key } = await service.organization();
      expectRefusal(await client(service.app).get(`/members?${name}=${key}`), 401, 'missing_api_key');
    },
  );

  it.each(['Authorization', 'Api-Key', 'X-API-Token', 'Cookie'])('ignores a key in %s', async (header) => {
    const { key } = await service.organization();
    const answer = await client(service.app).get('/members', { [header]: `Bearer ${key}` });
    expectRefusal(answer, 401, 'missing_api_key');
  });

  it.each([
    ['unknown', () => newKey()],
    ['with a wrong checksum', (key: string) => key.slice(0, -6) + (key.endsWith('000000') ? '111111' : '000000')],
    ['16 KB long', () => 'k'.repeat(16_384)],
    ['a well-formed key repeated 400 times', (key: string) => key.repeat(400)],
    ['with a non-ASCII letter', (key: string) => `${key.slice(0, -1)}é`],
    ['SQL', () => `' OR '1'='1`],
    ['the name of an inherited property', () => '__proto__'],
  ])('rejects a key that is %s', async (_, forge) => {
    const { key } = await service.organization();
    expectRefusal(await client(service.app, forge(key)).get('/members'), 401, 'invalid_api_key');
  });

  it('rejects the id of a key, and its stored hash', async () => {
    const { keyId } = await service.organization();
    const [row] = await service.store.db.rows<{ hash: string }>(
      sql`SELECT encode(hash, 'hex') AS hash FROM api_key WHERE id = ${keyId}`,
    );
    for (const sent of [keyId, row?.hash]) {
      expectRefusal(await client(service.app, sent).get('/members'), 401, 'invalid_api_key');
    }
  });

  it('completes a request in flight when its key is revoked, and rejects the next', async () => {
    const { db, reached, resume } = pausing(service.store.db, ({ text }) => text.includes('INSERT INTO email_address'));
    const organization = await service.organization({ app: appOn(service, { db }) });
    const inFlight = organization.post('/members', person());
    await reached;
    await organization.revoke();
    const next = await organization.get('/members');
    resume();
    const completed = await inFlight;
    expect(completed.status).toBe(201);
    expectCounted(completed);
    expectRefusal(next, 401, 'key_revoked');
  });

  it('reports a key that is both revoked and expired as revoked', async () => {
    const organization = await service.organization();
    await organization.revoke();
    await service.store.db.rows(
      sql`UPDATE api_key SET expires_at = now() - interval '1 second' WHERE id = ${organization.keyId}`,
    );
    expectRefusal(await organization.get('/members'), 401, 'key_revoked');
  });

  it.each(['2000-01-01', '2099-01-01'])(
    "checks expiry by the database's clock when the local clock says %s",
    async (now) => {
      const [valid, expired] = await Promise.all([service.organization(), service.organization()]);
      await service.store.db.rows(sql`
      UPDATE api_key SET expires_at = CASE id WHEN ${valid.keyId} THEN now() + interval '1 minute' ELSE now() END
      WHERE id IN (${valid.keyId}, ${expired.keyId})`);
      vi.useFakeTimers({ toFake: ['Date'], now: new Date(now) });
      expect((await valid.get('/members')).status).toBe(200);
      expectRefusal(await expired.get('/members'), 401, 'key_expired');
    },
  );
});
