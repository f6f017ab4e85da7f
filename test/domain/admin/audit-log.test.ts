import { expect, it } from 'vitest';
import { listAudit } from '../../../src/domain/admin/audit-log.ts';
import type { Database } from '../../../src/store/database.ts';
import { sql } from '../../../src/store/sql.ts';
import { onOneStore } from '../../support/service.ts';

/** Other tests note none of these, and how often each is noted decides the plan. */
const SELDOM = ['doSeldom', 'doNever'];

onOneStore((service) => {
  /** An organization with many entries, nearly all of them of its records. */
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
    ['the newest', undefined],
    ['those before an entry', Number.MAX_SAFE_INTEGER],
  ])('of some operations is read by an index of its own, past no others: %s', async (_, before) => {
    const organization_id = await busyOrganization();
    const query = { organization_id, operations: SELDOM, before, limit: 51 };
    const { db } = service.store;
    const rows: Database['rows'] = (statement) => db.rows(sql`EXPLAIN ${statement}`);
    const plan = JSON.stringify(await listAudit({ db: { ...db, rows } }, query));
    expect(plan).toContain('audit_entry_organization_id_operation_id_idx');
  });
});
