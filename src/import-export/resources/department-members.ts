import { z } from 'zod';
import { requiredText } from '../../domain/core/text.ts';
import { sql } from '../../store/sql.ts';
import { type Batch, type ImportResource, type Outcome, type ParsedRow, rejected } from '../records/batch.ts';
import { exportedId, resolveNames, unresolved } from '../records/external-id.ts';
import { parserOf } from '../records/input.ts';
import { auditRecords } from '../records/write.ts';
import { departmentIdentity } from './departments.ts';
import { memberIdentity } from './members.ts';

/** Who belongs to which department, one pair a row: they have no id of their own, and need none. */
export const importDepartmentMembers: ImportResource = {
  name: 'department_members',
  tables: ['department_member'],
  fields: { department: 'text', member: 'text' },
  parse: parserOf(z.strictObject({ department: requiredText(), member: requiredText() })),
  store,
  exported: (organizationId) => sql`
    SELECT ${exportedId('departments', organizationId, sql`dm.department_id`)} AS department,
      ${exportedId('members', organizationId, sql`dm.member_id`)} AS member
    FROM department_member dm
    JOIN department d ON d.organization_id = dm.organization_id AND d.id = dm.department_id
    WHERE dm.organization_id = ${organizationId} ORDER BY d.position, dm.position`,
};

interface Pair {
  readonly department: string;
  readonly member: string;
}

async function store(batch: Batch, rows: readonly ParsedRow[]): Promise<Outcome[]> {
  const said = rows.map((row) => (row.errors || row.missing ? undefined : (row.said as unknown as Pair)));
  const asked = said.flatMap((pair) => pair ?? []);
  const departments = await resolveNames(
    batch,
    departmentIdentity,
    asked.map(({ department }) => department),
  );
  const members = await resolveNames(
    batch,
    memberIdentity,
    asked.map(({ member }) => member),
  );
  const pairs = said.map((pair): Pair | Outcome | undefined => {
    if (!pair) return undefined;
    const [department, member] = [departments.get(pair.department), members.get(pair.member)];
    if (typeof department === 'string' && typeof member === 'string') return { department, member };
    return rejected(
      ...(typeof department === 'string'
        ? []
        : [{ field: 'department', message: unresolved('department', pair.department, department) }]),
      ...(typeof member === 'string' ? [] : [{ field: 'member', message: unresolved('member', pair.member, member) }]),
    );
  });
  const added = await add(
    batch,
    pairs.filter((pair): pair is Pair => pair !== undefined && 'member' in pair),
  );
  return pairs.map((pair, index) => {
    if (pair && 'result' in pair) return pair;
    const { errors, missing } = rows[index] as ParsedRow;
    if (!pair) return rejected(...(errors ?? missing ?? []));
    // Of a pair that stands twice, the first one is the new one.
    return { result: added.delete(nameOf(pair)) ? 'created' : 'unchanged' };
  });
}

function nameOf({ department, member }: Pair): string {
  return `${department} ${member}`;
}

/** Adds members to departments. @returns the pairs that were not there. */
async function add(batch: Batch, pairs: readonly Pair[]): Promise<Set<string>> {
  if (pairs.length === 0) return new Set();
  const asked = sql`unnest(${pairs.map(({ department }) => department)}::text[], ${pairs.map(({ member }) => member)}::text[])
    WITH ORDINALITY AS s (department_id, member_id, ordinal)`;
  if (batch.planned) {
    const there = await batch.rows<{ department: string; member: string }>(sql`
      SELECT dm.department_id AS department, dm.member_id AS member FROM ${asked}
      JOIN department_member dm USING (department_id, member_id) WHERE dm.organization_id = ${batch.organization.id}`);
    const known = new Set(there.map(nameOf));
    return new Set(pairs.map(nameOf).filter((name) => !known.has(name)));
  }
  const added = await batch.rows<{ department: string; member: string }>(sql`
    INSERT INTO department_member (organization_id, department_id, member_id)
    SELECT ${batch.organization.id}, s.department_id, s.member_id FROM ${asked} ORDER BY s.ordinal
    ON CONFLICT DO NOTHING RETURNING department_id AS department, member_id AS member`);
  await auditRecords(
    batch,
    'addDepartmentMember',
    added.map(({ department }) => department),
    added.map(({ member }) => member),
  );
  return new Set(added.map(nameOf));
}
