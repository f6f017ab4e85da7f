import { expect, it } from 'vitest';
import { listApiKeys } from '../../../src/domain/admin/api-key.ts';
import { rotateApiKey } from '../../../src/domain/admin/api-key-rotation.ts';
import { listAudit } from '../../../src/domain/admin/audit-log.ts';
import { sql } from '../../../src/store/sql.ts';
import { client } from '../../support/client.ts';
import { onOneDatabase } from '../../support/service.ts';

onOneDatabase((service) => {
  const statusOf = async (key: string) => {
    const { status, json } = await client(service.app, key).get('/tags');
    return json.error?.code ?? status;
  };

  it('accepts both keys during the overlap, and only the new one afterwards', async () => {
    const { key, keyId } = await service.organization({ scopes: ['tags.view'] });
    const made = await rotateApiKey(service.store, keyId, { overlap_hours: 1 }, 'test');
    expect([await statusOf(key), await statusOf(made.key)]).toEqual([200, 200]);
    const [old, successor] = await listApiKeys(service.store, made.organization_id);
    expect([old?.replaced_by, successor?.replaced_by]).toEqual([made.id, null]);
    expect(successor?.prefix).toBe(made.key.slice(0, 12));
    await service.store.db.rows(sql`UPDATE api_key SET expires_at = now() - interval '1 second' WHERE id = ${keyId}`);
    expect([await statusOf(key), await statusOf(made.key)]).toEqual(['key_expired', 200]);
  });

  it('records both keys in the audit log, which lists the entry for either', async () => {
    const { id, keyId } = await service.organization();
    const made = await rotateApiKey(service.store, keyId, { overlap_hours: 1 }, 'cli:test');
    const entry = { operation: 'rotateApiKey', record_id: keyId, related_id: made.id, actor: 'cli:test' };
    for (const record_id of [keyId, made.id]) {
      const [latest] = await listAudit(service.store, { organization_id: id, record_id, limit: 10 });
      expect(latest).toMatchObject(entry);
    }
  });
});
