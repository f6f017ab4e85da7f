import { z } from 'zod';
import { requiredText } from '../../domain/values/text.ts';
import { sql } from '../../store/sql.ts';
import { type Batch, type ImportResource, type Outcome, type ParsedRow, rejected } from '../records/batch.ts';
import { externalIdSql, resolveReferences } from '../records/external-id.ts';
import { createParser } from '../records/parser.ts';
import { auditRecords } from '../records/write.ts';
import { departmentMatcher } from './departments.ts';
import { memberMatcher } from './members.ts';

/** Imports department members, one pair of references per row; they have no ids. */
export const importDepartmentMembers: ImportResource = {
  name: 'department_members',
  tables: ['department_member'],
  fields: { department: 'text', member: 'text' },
  parse: createParser(z.strictObject({ department: requiredText(), member: requiredText() })),
  store,
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

async function store(batch: Batch, rows: readonly ParsedRow[]): Promise<Outcome[]> {
  const valid = rows.filter(({ errors, missing }) => !errors && !missing).map(({ input }) => input as unknown as Pair);
  const findDepartment = await resolveReferences(
    batch,
    departmentMatcher,
    valid.map(({ department }) => department),
  );
  const findMember = await resolveReferences(
    batch,
    memberMatcher,
    valid.map(({ member }) => member),
  );
  const pairs = rows.map(({ input, errors = [], missing = [] }): Pair | Outcome => {
    if (errors.length + missing.length > 0) return rejected(...errors, ...missing);
    const names = input as unknown as Pair;
    const department = findDepartment('department', names.department);
    const member = findMember('member', names.member);
    if (typeof department === 'string' && typeof member === 'string') return { department, member };
    return rejected(...[department, member].filter((error) => typeof error === 'object'));
  });
  const added = await addPairs(
    batch,
    pairs.filter((pair) => 'member' in pair),
  );
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
  if (batch.dryRun) {
    const existing = await batch.query<{ department: string; member: string }>(sql`
      SELECT dm.department_id AS department, dm.member_id AS member FROM ${requested}
      JOIN department_member dm USING (department_id, member_id) WHERE dm.organization_id = ${batch.organization.id}`);
    const existingKeys = new Set(existing.map(pairKey));
    const isNew = (key: string) => !existingKeys.has(key) && !batch.dryRun?.has('department_members', key);
    const added = new Set(pairs.map(pairKey).filter(isNew));
    for (const id of added) batch.dryRun.add('department_members', { id });
    return added;
  }
  const added = await batch.query<{ department: string; member: string }>(sql`
    INSERT INTO department_member (organization_id, department_id, member_id)
    SELECT ${batch.organization.id}, s.department_id, s.member_id FROM ${requested} ORDER BY s.ordinal
    ON CONFLICT DO NOTHING RETURNING department_id AS department, member_id AS member`);
  await auditRecords(
    batch,
    'addDepartmentMember',
    added.map(({ department }) => department),
    added.map(({ member }) => member),
  );
  return new Set(added.map(pairKey));
}
