import { z } from 'zod';
import { takeNumbers } from '../../domain/core/writes.ts';
import { department } from '../../domain/entities/department.ts';
import { requiredText } from '../../domain/values/text.ts';
import { sql } from '../../store/sql.ts';
import { auditRecords, type Batch } from '../records/batch.ts';
import { createParser, importResourceFor, matcherFor } from '../records/entity-resource.ts';
import { externalIdSql, resolveReferences } from '../records/references.ts';
import {
  type ImportResource,
  type KeptValue,
  type RowOutcome,
  rejected,
  type StoredBatch,
  type UndoneBatch,
} from '../records/resource.ts';
import type { NumberedRow } from '../records/row.ts';
import { deleteInserted, endUndo, readChanges, unchangedLinks } from '../records/undo-changes.ts';
import { memberMatcher } from './members.ts';

/** Finds departments by external id, id or name, ignoring letter case. */
const departmentMatcher = matcherFor(department);

/** Imports departments; their members have a separate file. */
export const importDepartments = importResourceFor(department, {
  references: { head: { matcher: memberMatcher, column: 'head_id' } },
  exports: (organizationId) => ({ columns: { head: externalIdSql('members', organizationId, sql`dep.head_id`) } }),
});

/** Imports department members, one pair of references per row; they have no ids. */
export const importDepartmentMembers: ImportResource = {
  name: 'department_members',
  tables: ['department_member'],
  fields: { department: 'text', member: 'text' },
  parse: createParser(z.strictObject({ department: requiredText(), member: requiredText() })),
  store,
  undo,
  exportSql: (organizationId) => sql`
    SELECT ${externalIdSql('departments', organizationId, sql`dm.department_id`)} AS department,
      ${externalIdSql('members', organizationId, sql`dm.member_id`)} AS member
    FROM department_member dm
    JOIN department d ON d.organization_id = dm.organization_id AND d.id = dm.department_id
    WHERE dm.organization_id = ${organizationId} ORDER BY d.position, dm.position`,
};

interface Pair {
  readonly department: string;
  readonly member: string;
}

async function store(batch: Batch, rows: readonly NumberedRow[]): Promise<RowOutcome[]> {
  const given = (name: keyof Pair) => rows.flatMap(({ parsed }) => (parsed.input[name] as string | undefined) ?? []);
  const findDepartment = await resolveReferences(batch, departmentMatcher, given('department'));
  const findMember = await resolveReferences(batch, memberMatcher, given('member'));
  const pairs = rows.map(({ parsed: { input, errors = [], missing = [] } }): Pair | RowOutcome => {
    const names = input as Partial<Pair>;
    const department = names.department === undefined ? [] : findDepartment('department', names.department);
    const member = names.member === undefined ? [] : findMember('member', names.member);
    if (typeof department === 'string' && typeof member === 'string') return { department, member };
    const unknown = [department, member].flat().filter((error) => typeof error === 'object');
    return rejected(...errors, ...missing, ...unknown);
  });
  const known = pairs.filter((pair) => 'member' in pair);
  const added = await addPairs(batch, known);
  // If a pair is repeated, its first row creates it.
  return pairs.map((pair) =>
    'result' in pair ? pair : { result: added.delete(pairKey(pair)) ? 'created' : 'unchanged' },
  );
}

function pairKey({ department, member }: Pair): string {
  return `${department} ${member}`;
}

/** Adds members to departments. @returns the keys of the new pairs. */
async function addPairs(batch: Batch, pairs: readonly Pair[]): Promise<Set<string>> {
  if (pairs.length === 0) return new Set();
  const requested = sql`unnest(${pairs.map(({ department }) => department)}::text[], ${pairs.map(({ member }) => member)}::text[])
    WITH ORDINALITY AS s (department_id, member_id, ordinal)`;
  const added = await batch.query<Pair>(sql`
    WITH numbers AS (${takeNumbers(batch.organization.id, pairs.length)})
    INSERT INTO department_member (organization_id, department_id, member_id, position)
    SELECT ${batch.organization.id}, s.department_id, s.member_id, numbers.previous_number + s.ordinal FROM numbers, ${requested}
    ORDER BY s.ordinal
    ON CONFLICT DO NOTHING RETURNING department_id AS department, member_id AS member`);
  const [departments, members] = [added.map(({ department }) => department), added.map(({ member }) => member)];
  await auditRecords(batch, 'addDepartmentMember', departments, members);
  return new Set(added.map(pairKey));
}

/** Removes the members that a batch added to departments. */
async function undo(batch: Batch, stored: StoredBatch): Promise<UndoneBatch> {
  const kept: KeptValue[] = [];
  const table = 'department_member';
  const removed = unchangedLinks(table, 'member', await readChanges(batch, stored, table), kept);
  await deleteInserted(batch, stored, table, removed);
  const departments = removed.map(({ after }) => String(after.department_id));
  await auditRecords(batch, 'undoImport', departments, stored.runId);
  await endUndo(batch, stored, kept);
  return { removed: removed.length, restored: 0, tags_removed: 0, external_ids_removed: 0, kept };
}
