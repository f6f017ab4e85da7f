import { expect, it } from 'vitest';
import { listAudit } from '../../../src/domain/admin/audit-log.ts';
import type { Database } from '../../../src/store/database.ts';
import { sql } from '../../../src/store/sql.ts';
import { onOneStore } from '../../support/service.ts';

/** No other test writes these operations: their frequency determines the plan. */
const SELDOM = ['doSeldom', 'doNever'];

onOneStore((service) => {
  /** An organization with many entries, nearly all of operations on records. */
  async function busyOrganization(): Promise<string> {
    const { id } = await service.organization();
    const { db } = service.store;
    await db.rows(sql`
      INSERT INTO audit_entry (organization_id, channel, operation, result)
      SELECT ${id}, 'rest', CASE WHEN n % 5000 = 0 THEN 'doSeldom' ELSE 'createMember' END, 'ok'
      FROM generate_series(1, 20000) n`);
    await db.rows(sql`ANALYZE audit_entry`);
    return id;
  }

  it.each([
    ['the newest entries', undefined],
    ['entries before a given one', Number.MAX_SAFE_INTEGER],
  ])('reads filtered operations through an index, without reading other entries: %s', async (_, before) => {
    const organization_id = await busyOrganization();
    const query = { organization_id, operations: SELDOM, before, limit: 51 };
    const { db, prisma } = service.store;
    const rows: Database['rows'] = (statement) => db.rows(sql`EXPLAIN ${statement}`);
    const plan = JSON.stringify(await listAudit({ db: { ...db, rows }, prisma }, query));
    expect(plan).toContain('audit_entry_organization_id_operation_id_idx');
  });
});
