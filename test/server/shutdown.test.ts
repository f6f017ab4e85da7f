import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, inject, it } from 'vitest';
import { sql } from '../../src/store/sql.ts';
import { times } from '../support/data.ts';
import { startService } from '../support/processes/running.ts';
import { onOneStore } from '../support/service.ts';
import { eventually } from '../support/time/eventually.ts';

describe.skipIf(!inject('databaseUrl'))('the service in a process', () => {
  onOneStore((service) => {
    it('deletes expired rows at its start, and drains, stores usage and exits with 1 if a request delays its shutdown', async () => {
      const { id, key, keyId } = await service.organization();
      const { db, prisma } = service.store;
      await db.write(sql`
        INSERT INTO idempotency_record (organization_id, api_key_id, key, fingerprint, outcome, created_at)
        VALUES (${id}, ${keyId}, 'old', '\\x00', '{}', now() - interval '25 hours')`);
      await db.write(sql`
        INSERT INTO api_key_failed_request (api_key_id, id, at, api, status, code, request_id, cost)
        VALUES (${keyId}, 1, now() - interval '8 days', 'rest', 404, 'not_found', 'old', 1)`);
      const running = await startService({ DATABASE_URL: inject('databaseUrl') as string, SHUTDOWN_DELAY_MS: '1000' });
      const where = { apiKeyId: keyId };
      const remaining = () =>
        Promise.all([prisma.idempotencyRecord.count({ where }), prisma.apiKeyFailedRequest.count({ where })]);
      await eventually(async () => expect(await remaining()).toEqual([0, 0]));

      for (const _ of times(3, String)) await fetch(`${running.address}/v1/tags`, { headers: { 'X-Api-Key': key } });
      const { hostname, port } = new URL(running.address);
      const upload = connect(Number(port), hostname).on('error', () => {});
      upload.write(
        `POST /v1/members HTTP/1.1\r\nHost: localhost\r\nX-Api-Key: ${key}\r\nContent-Type: application/json\r\nContent-Length: 100\r\nExpect: 100-continue\r\n\r\n`,
      );
      await once(upload, 'data');
      process.kill(running.pid, 'SIGTERM');
      await eventually(async () => {
        const ready = await fetch(`${running.address}/readyz`);
        expect([ready.status, await ready.json()]).toMatchObject([503, { draining: true }]);
      });
      const served = await fetch(`${running.address}/v1/tags`);
      expect([served.status, served.headers.get('Connection')]).toEqual([401, 'close']);
      expect(await running.stop()).toBe(1);
      const usage = await prisma.apiKeyUsage.findMany({ where });
      expect(usage.reduce((sum, { points }) => sum + Number(points), 0)).toBeGreaterThanOrEqual(3);
      upload.destroy();
    });
  });
});
