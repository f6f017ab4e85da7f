import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { routes } from '../../../src/rest/routes.ts';
import { createDatabase } from '../../../src/store/database.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import { appOn } from '../../support/apps.ts';
import type { Answer } from '../../support/client.ts';
import { person, times } from '../../support/data.ts';
import { expectRefusal } from '../../support/requests/refusal.ts';
import { proxyTo, type TcpProxy } from '../../support/servers/proxy.ts';
import { onOneStore, type TestOrganization } from '../../support/service.ts';
import { createFairPool } from '../../support/stores/fair-pool.ts';
import { eventually } from '../../support/time/eventually.ts';

function expectUnavailable(answer: Answer): void {
  expectRefusal(answer, 503, 'unavailable');
  expect(answer.headers.get('Retry-After')).toMatch(/^[1-9]\d*$/);
  expect(answer.text).not.toMatch(/ECONN|127\.0\.0\.1|postgres|pg|timeout|terminat/i);
}

onOneStore((service) => {
  describe.skipIf(!inject('databaseUrl'))('on a server that becomes unreachable', () => {
    let proxy: TcpProxy;
    let store: Store;
    beforeAll(async () => {
      proxy = await proxyTo(inject('databaseUrl') as string);
      store = await openStore({ databaseUrl: proxy.url, dataDirectory: '', timeouts: 'request' });
    });
    afterAll(async () => {
      await proxy.become('working');
      await store.close();
      await proxy.close();
    });

    /** An organization whose requests reach the database through the proxy. */
    async function throughProxy(): Promise<TestOrganization> {
      return (await service.organization()).through(appOn(service, { db: store.db }));
    }

    const recovered = (organization: TestOrganization) =>
      eventually(async () => expect((await organization.get('/members')).status).toBe(200));

    it('responds with 503 to every operation, and recovers without a restart', async () => {
      const organization = await throughProxy();
      await recovered(organization);
      await proxy.become('cut');
      for (const { method, path } of routes) {
        const body = method === 'GET' ? {} : { body: JSON.stringify(person()) };
        const headers = { 'Content-Type': 'application/json' };
        expectUnavailable(await organization.request(method, path.replaceAll(/\{\w+\}/g, '1'), { ...body, headers }));
      }
      await proxy.become('working');
      await recovered(organization);
    });

    it('responds to each request in flight when the server disconnects, and executes none twice', async () => {
      const organization = await throughProxy();
      const bodies = times(50, () => person());
      const answers = bodies.map((body) => organization.post('/members', body));
      await Promise.race(answers);
      await proxy.become('cut');
      for (const answer of await Promise.all(answers)) {
        if (answer.status !== 201) expectUnavailable(answer);
      }
      await proxy.become('working');
      await recovered(organization);
      for (const [n, body] of bodies.entries()) {
        const acknowledged = (await answers[n])?.status === 201;
        const again = await organization.post('/members', body);
        if (acknowledged) expectRefusal(again, 409, 'member_exists');
        else expect([201, 409]).toContain(again.status);
      }
    });
  });

  it('responds with 503 if the server was never reachable', async () => {
    const { pool, fairPool } = createFairPool({ host: '127.0.0.1', port: 1 }, { connectionTimeoutMillis: 2_000 });
    const app = appOn(service, { db: createDatabase(fairPool, {}) });
    const organization = (await service.organization()).through(app);
    for (const answer of await Promise.all(times(10, () => organization.get('/members')))) expectUnavailable(answer);
    await pool.end();
  });
});
