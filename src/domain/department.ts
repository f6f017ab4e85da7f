import { z } from 'zod';
import { isoTimestamp, raw, sql } from '../store/sql.ts';
import type { Columns } from './fields.ts';
import { defineFind } from './find.ts';
import type { JsonRecord } from './json-record.ts';
import { MAX_MEMBER_IDS } from './limits.ts';
import { defineList } from './list.ts';
import { type Member, membersOfDepartments } from './member.ts';
import { readOfMembers } from './of-members.ts';
import { defineOperation } from './operation.ts';
import { type Page, windowInput } from './page.ts';
import { type RecordSource, readPagesOf } from './records.ts';
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

const roster = sql`
  department_member dm WHERE dm.organization_id = dep.organization_id AND dm.department_id = dep.id`;

const columns: Columns<Department> = {
  id: sql`dep.id`,
  name: sql`dep.name`,
  head_of_department: sql`(
    SELECT head.first_name || ' ' || head.last_name FROM member head
    WHERE head.organization_id = dep.organization_id AND head.id = dep.head_id)`,
  head_id: sql`dep.head_id`,
  member_ids: sql`(
    SELECT coalesce(array_agg(first.member_id), '{}')
    FROM (SELECT dm.member_id FROM ${roster} ORDER BY dm.position LIMIT ${raw(String(MAX_MEMBER_IDS))}) first)`,
  members_count: sql`dep.members_count`,
  created_at: isoTimestamp('dep.created_at'),
  updated_at: isoTimestamp('dep.updated_at'),
};

const departments: RecordSource<Department> = {
  name: 'departments',
  columns,
  table: 'department',
  alias: 'dep',
  embedded: {
    fields: ['member_ids', 'members_count'],
    length: sql`(SELECT count(*) FROM ${roster})`,
    lengthColumn: 'members_count',
    max: MAX_MEMBER_IDS,
  },
};

/** `GET /departments`: search matches the name. */
export const listDepartments = defineList({
  scope: 'departments.view',
  source: departments,
  matches: (search) => matchesSearch('dep', search),
});

/** Departments by id. */
export const findDepartments = defineFind({
  name: 'Department',
  scope: 'departments.view',
  source: departments,
  prefix: 'dep',
});

/** The departments of each of several members, in one statement. */
export const findDepartmentsOfMembers = defineOperation({
  scope: 'departments.view',
  input: z.array(z.string()),
  run: (context, memberIds, fields): Promise<JsonRecord<Department>[][]> =>
    readOfMembers(
      context,
      context.db,
      departments,
      { table: 'department_member', column: 'department_id' },
      memberIds,
      fields,
    ),
});

/** A page of the members of each of several departments, as they joined it; one statement. */
export const listMembersOfDepartments = defineOperation({
  scope: 'members.view',
  input: z.strictObject({ department_ids: z.array(z.string()), window: windowInput }),
  run: (context, { department_ids, window }, fields): Promise<(Page<Member> | Error)[]> =>
    readPagesOf(
      context,
      membersOfDepartments,
      { column: 'dm.department_id', type: 'text' },
      department_ids,
      window,
      fields,
    ),
});
