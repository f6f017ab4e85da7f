import { z } from 'zod';
import { sql } from '../../store/sql.ts';
import { optionalText, requiredText } from '../text.ts';
import { type Batch, rejected } from './batch.ts';
import { byName, exportedId, type Identity, ownIdsWith, resolveNames, unresolved } from './external-id.ts';
import { externalId, parserOf, times } from './input.ts';
import { memberIdentity } from './members.ts';
import { columnsSaid, keyedByName, newIdsWith, type Row, searchedBy } from './record-kind.ts';
import { defineRecords } from './records.ts';

/** A department is found by its name too, in any letter case. */
export const departmentIdentity: Identity = {
  name: 'departments',
  table: 'department',
  ownId: ownIdsWith('dep'),
  key: byName('department'),
};

const stored = { columns: { name: 'text', head_id: 'text' }, times: ['created_at', 'updated_at'] } as const;

/** Departments in bulk; who belongs to them is in files of its own. */
export const bulkDepartments = defineRecords({
  ...stored,
  name: 'departments',
  record: 'Department',
  identity: departmentIdentity,
  fields: { external_id: 'text', name: 'text', head: 'text', created_at: 'timestamp', updated_at: 'timestamp' },
  parse: parserOf(
    z.strictObject({ external_id: externalId.optional(), name: requiredText(), head: optionalText(), ...times }),
  ),
  ...keyedByName,
  ...searchedBy('name'),
  newIds: newIdsWith('dep'),
  resolve: resolveHeads,
  exported: (organizationId) => sql`
    SELECT ${exportedId('departments', organizationId, sql`d.id`)} AS external_id, d.name,
      ${exportedId('members', organizationId, sql`d.head_id`)} AS head, d.created_at, d.updated_at
    FROM department d WHERE d.organization_id = ${organizationId} ORDER BY d.position`,
});

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
