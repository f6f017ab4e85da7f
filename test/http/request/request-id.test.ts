import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { createFailedRequests } from '../../../src/auth/failed-requests.ts';
import { sessionCookie } from '../../../src/developer/cookies.ts';
import { createPasswordLink } from '../../../src/domain/accounts/password-link.ts';
import { openSession } from '../../../src/domain/accounts/sign-in-session.ts';
import { newKey } from '../../../src/domain/admin/api-key-secret.ts';
import { requestIdOf } from '../../../src/http/request/request-id.ts';
import { sql } from '../../../src/store/sql.ts';
import { appOn, recordingLog } from '../../support/apps.ts';
import { onOneStore } from '../../support/service.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

it.each([
  'post-17',
  randomUUID(),
  '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  `Req_${'a.B:'.repeat(30)}`,
  'cms_import',
  'cms_production',
])('accepts %s as a request id', (id) => {
  expect(requestIdOf(id)).toBe(id);
});

it.each([undefined, '', 'a b', 'a/b', 'é', 'x'.repeat(129)])('replaces %j', (id) => {
  expect(requestIdOf(id)).toMatch(UUID);
});

onOneStore((service) => {
  it('neither stores, logs nor returns a request id that contains a secret of the service', async () => {
    const { store } = service;
    const session = await openSession({ prisma: store.prisma, operatorPassword: undefined }, undefined);
    const secrets = [
      newKey(),
      newKey().toUpperCase(),
      newKey().slice(0, -2),
      await createPasswordLink(store, undefined, 1),
      session,
      sessionCookie(store.appSecret, session),
    ];
    const { log, lines } = recordingLog();
    const failedRequests = createFailedRequests(store.db, () => {});
    const app = appOn(service, { log, failedRequests });
    const own = (await service.organization()).through(app);
    for (const secret of secrets) {
      for (const id of [secret, `${secret}-1`, `req:${secret}`, `req-${secret}.retry`]) {
        const { headers } = await own.get('/members?limit=0', { 'X-Request-Id': id });
        expect([secret, headers.get('X-Request-Id')]).toEqual([secret, expect.stringMatching(UUID)]);
        await own.post('/prayer-requests', { description: 'Rain' }, { 'X-Request-Id': id });
      }
    }
    await failedRequests.close();
    const stored = await store.db.rows(sql`
      SELECT request_id FROM api_key_failed_request WHERE api_key_id = ${own.keyId}
      UNION ALL SELECT request_id FROM audit_entry WHERE api_key_id = ${own.keyId}`);
    expect(stored.length).toBeGreaterThan(secrets.length);
    for (const secret of secrets) expect(JSON.stringify([stored, lines])).not.toContain(secret);
  });
});
