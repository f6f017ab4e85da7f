import { describe, expect, inject, it } from 'vitest';
import { sql } from '../../src/store/sql.ts';
import { startService } from '../support/processes/running.ts';
import { onOneStore } from '../support/service.ts';
import { eventually } from '../support/time/eventually.ts';

describe.skipIf(!inject('databaseUrl'))('at its start', () => {
  onOneStore((service) => {
    it('deletes expired outcomes and failed requests', async () => {
      const { id, keyId } = await service.organization();
      const { db, prisma } = service.store;
      await db.write(sql`
        INSERT INTO idempotency_record (organization_id, api_key_id, key, fingerprint, outcome, created_at)
        VALUES (${id}, ${keyId}, 'old', '\\x00', '{}', now() - interval '25 hours')`);
      await db.write(sql`
        INSERT INTO api_key_failed_request (api_key_id, id, at, api, status, code, request_id, cost)
        VALUES (${keyId}, 1, now() - interval '8 days', 'rest', 404, 'not_found', 'old', 1)`);
      const running = await startService({ DATABASE_URL: inject('databaseUrl') as string });
      const remaining = () =>
        Promise.all([
          prisma.idempotencyRecord.count({ where: { apiKeyId: keyId } }),
          prisma.apiKeyFailedRequest.count({ where: { apiKeyId: keyId } }),
        ]);
      await eventually(async () => expect(await remaining()).toEqual([0, 0]));
      await running.stop();
    });
  });
});
