import { PrismaPg } from '@prisma/adapter-pg';
import { expect, it } from 'vitest';
import { listAudit } from '../../../src/domain/admin/audit-log.ts';
import { PrismaClient } from '../../../src/store/generated/client.ts';
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

  it('reads filtered operations through an index, without reading other entries', async () => {
    const organization_id = await busyOrganization();
    const query = { organization_id, operations: SELDOM, limit: 51 };
    const { pool } = service.store;
    const prisma = new PrismaClient({ adapter: new PrismaPg(pool), log: [{ emit: 'event', level: 'query' }] });
    const statements: { query: string; params: string }[] = [];
    prisma.$on('query', (statement) => statements.push(statement));
    await listAudit({ prisma }, query);
    const read = statements.findLast((statement) => statement.query.includes('"audit_entry"'));
    const { rows } = await pool.query(`EXPLAIN ${read?.query}`, JSON.parse(read?.params ?? '[]'));
    const plan = JSON.stringify(rows);
    expect(plan).toContain('audit_entry_organization_id_operation_id_idx');
  });
});
