import { z } from 'zod';
import { isoTimestamp, sql } from '../store/sql.ts';
import { defineFind } from './find.ts';
import { type Member, memberColumns } from './member.ts';
import { defineOperation } from './operation.ts';
import { listInput, type Page, windowInput } from './page.ts';
import { type RecordSource, readPage, readPagesOf } from './records.ts';
import { matchesSearch } from './search.ts';

/** A department as callers see it (specification, "Department"). */
export interface Department {
  readonly id: string;
  readonly name: string;
  /** The head's full name. */
  readonly head_of_department: string | null;
  readonly head_id: string | null;
  readonly member_ids: readonly string[];
  readonly members_count: number;
  readonly created_at: string;
  readonly updated_at: string;
}

const columns = sql`
  dep.id, dep.name, dep.head_id,
  (SELECT head.first_name || ' ' || head.last_name FROM member head
   WHERE head.organization_id = dep.organization_id AND head.id = dep.head_id) AS head_of_department,
  roster.member_ids, cardinality(roster.member_ids) AS members_count,
  ${isoTimestamp('dep.created_at')} AS created_at, ${isoTimestamp('dep.updated_at')} AS updated_at`;

const departments: RecordSource = {
  name: 'departments',
  columns,
  alias: 'dep',
  from: sql`
  department dep LEFT JOIN LATERAL (
    SELECT coalesce(array_agg(dm.member_id ORDER BY dm.position), '{}') AS member_ids
    FROM department_member dm
    WHERE dm.organization_id = dep.organization_id AND dm.department_id = dep.id
  ) roster ON true`,
};

/** `GET /departments`: search matches the name. */
export const listDepartments = defineOperation({
  scope: 'departments.view',
  input: listInput,
  run: (context, input): Promise<Page<Department>> =>
    readPage<Department>(context, departments, input, matchesSearch('dep', input.search)),
});

/** Departments by id. */
export const findDepartments = defineFind<Department>('departments.view', departments, 'dep');

/** The departments of each of several members, in one statement. */
export const findDepartmentsOfMembers = defineOperation({
  scope: 'departments.view',
  input: z.array(z.string()),
  run: async (context, memberIds): Promise<Department[][]> => {
    const rows = await context.db.rows<Department & { member_ids_asked: string[] }>(sql`
      SELECT ${columns}, asked.member_ids AS member_ids_asked
      FROM (
        SELECT own.department_id, array_agg(own.member_id) AS member_ids FROM department_member own
        WHERE own.organization_id = ${context.caller.organization.id} AND own.member_id = ANY(${memberIds}::text[])
        GROUP BY own.department_id
      ) asked
      CROSS JOIN ${departments.from}
      WHERE dep.organization_id = ${context.caller.organization.id} AND dep.id = asked.department_id
      ORDER BY dep.position`);
    const byMember = new Map<string, Department[]>(memberIds.map((id) => [id, []]));
    for (const row of rows) for (const id of row.member_ids_asked) byMember.get(id)?.push(row);
    return memberIds.map((id) => byMember.get(id) ?? []);
  },
});

const membersOfDepartment: RecordSource = {
  name: 'department_members',
  columns: memberColumns,
  from: sql`department_member dm JOIN member m ON m.organization_id = dm.organization_id AND m.id = dm.member_id`,
  alias: 'dm',
};

/** A page of the members of each of several departments, as they joined it; one statement. */
export const listMembersOfDepartments = defineOperation({
  scope: 'members.view',
  input: z.strictObject({ department_ids: z.array(z.string()), window: windowInput }),
  run: (context, { department_ids, window }): Promise<(Page<Member> | Error)[]> =>
    readPagesOf<Member>(
      context,
      membersOfDepartment,
      { column: 'dm.department_id', type: 'text' },
      department_ids,
      window,
    ),
});
