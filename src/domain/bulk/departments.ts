import { sql } from '../../store/sql.ts';
import { department } from '../department.ts';
import { type Batch, rejected } from './batch.ts';
import { columnsOf, identityOf, kindOf } from './entity-kind.ts';
import { exportedId, resolveNames, unresolved } from './external-id.ts';
import { memberIdentity } from './members.ts';
import { columnsSaid, type Row } from './record-kind.ts';
import { defineRecords } from './records.ts';

/** A department is found by its name too, in any letter case. */
export const departmentIdentity = identityOf(department);

const stored = { columns: { ...columnsOf(department), head_id: 'text' }, times: ['created_at', 'updated_at'] } as const;

/** Departments in bulk; who belongs to them is in files of its own. */
export const bulkDepartments = defineRecords(
  kindOf(department, {
    columns: stored.columns,
    resolve: resolveHeads,
    exports: (organizationId) => ({ columns: { head: exportedId('members', organizationId, sql`dep.head_id`) } }),
  }),
);

async function resolveHeads(batch: Batch, rows: readonly Row[]): Promise<void> {
  const heads = rows.flatMap(({ said }) => (typeof said.head === 'string' ? [said.head] : []));
  const members = await resolveNames(batch, memberIdentity, heads);
  for (const row of rows) {
    const { head } = row.said;
    row.values = columnsSaid(stored, row.said);
    if (head === null) row.values.head_id = null;
    if (typeof head !== 'string') continue;
    const id = members.get(head);
    if (typeof id === 'string') row.values.head_id = id;
    else row.outcome = rejected({ field: 'head', message: unresolved('member', head, id) });
  }
}
