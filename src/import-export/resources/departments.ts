import { department } from '../../domain/entities/department.ts';
import { sql } from '../../store/sql.ts';
import { type Batch, rejected } from '../records/batch.ts';
import { columnsOf, identityOf, kindOf } from '../records/entity-definition.ts';
import { exportedId, resolveNames, unresolved } from '../records/external-id.ts';
import { defineRecords } from '../records/import-resource.ts';
import { givenColumns, type Row } from '../records/resource-definition.ts';
import { memberIdentity } from './members.ts';

/** A department is found by its name too, in any letter case. */
export const departmentIdentity = identityOf(department);

const stored = { columns: { ...columnsOf(department), head_id: 'text' }, times: ['created_at', 'updated_at'] } as const;

/** Departments in bulk; who belongs to them is in files of its own. */
export const importDepartments = defineRecords(
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
    row.values = givenColumns(stored, row.said);
    if (head === null) row.values.head_id = null;
    if (typeof head !== 'string') continue;
    const id = members.get(head);
    if (typeof id === 'string') row.values.head_id = id;
    else row.outcome = rejected({ field: 'head', message: unresolved('member', head, id) });
  }
}
