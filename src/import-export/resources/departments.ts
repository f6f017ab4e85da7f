import { department } from '../../domain/entities/department.ts';
import { sql } from '../../store/sql.ts';
import { type Batch, rejected } from '../records/batch.ts';
import { columnsOf, definitionFor, matcherFor } from '../records/entity-definition.ts';
import { externalIdSql, resolveReferences, unresolvedMessage } from '../records/external-id.ts';
import { createImportResource } from '../records/import-resource.ts';
import { inputColumns, type Row } from '../records/resource-definition.ts';
import { memberMatcher } from './members.ts';

/** Departments also match by name, case-insensitively. */
export const departmentMatcher = matcherFor(department);

const stored = {
  columns: { ...columnsOf(department), head_id: 'text' },
  timestamps: ['created_at', 'updated_at'],
} as const;

/** Imports departments; their members have a separate file. */
export const importDepartments = createImportResource(
  definitionFor(department, {
    columns: stored.columns,
    resolve: resolveHeads,
    exports: (organizationId) => ({ columns: { head: externalIdSql('members', organizationId, sql`dep.head_id`) } }),
  }),
);

async function resolveHeads(batch: Batch, rows: readonly Row[]): Promise<void> {
  const heads = rows.flatMap(({ input }) => (typeof input.head === 'string' ? [input.head] : []));
  const members = await resolveReferences(batch, memberMatcher, heads);
  for (const row of rows) {
    const { head } = row.input;
    row.values = inputColumns(stored, row.input);
    if (head === null) row.values.head_id = null;
    if (typeof head !== 'string') continue;
    const id = members.get(head);
    if (typeof id === 'string') row.values.head_id = id;
    else row.outcome = rejected({ field: 'head', message: unresolvedMessage('member', head, id) });
  }
}
