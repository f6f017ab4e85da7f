import { z } from 'zod';
import { raw, sql } from '../store/sql.ts';
import { defineEntity, type RecordOf } from './entity.ts';
import { count, id, idOfOther, ids, recordTime, text } from './field.ts';
import { defineFind } from './find.ts';
import type { JsonRecord } from './json-record.ts';
import { MAX_MEMBER_IDS } from './limits.ts';
import { defineList } from './list.ts';
import { type Member, membersOfDepartments } from './member.ts';
import { readOfMembers } from './of-members.ts';
import { defineOperation } from './operation.ts';
import { type Page, windowInput } from './page.ts';
import { readPagesOf } from './records.ts';

const roster = sql`
  department_member dm WHERE dm.organization_id = dep.organization_id AND dm.department_id = dep.id`;

/** Departments (specification, "Department"). */
export const department = defineEntity({
  name: 'Department',
  plural: 'departments',
  description: 'A department of the organization.',
  scope: 'departments.view',
  table: 'department',
  alias: 'dep',
  prefix: 'dep',
  hasUniqueName: true,
  fields: {
    id: id('The department’s id.', { example: 'dep_01j00000000000000000000009' }),
    name: text('Name.', { required: true, searchable: true, example: 'Finance' }),
    head_of_department: text('The full name of the head of the department.', {
      readOnly: true,
      sql: sql`(
        SELECT head.first_name || ' ' || head.last_name FROM member head
        WHERE head.organization_id = dep.organization_id AND head.id = dep.head_id)`,
      example: 'Duy Winslow',
    }),
    head_id: idOfOther('The id of the head of the department.', { hidden: true }),
    member_ids: ids(
      'The ids of its members, in the order in which they joined the department; if there are more than 200,000, the first of them. The number of members counts all.',
      {
        sql: sql`(
        SELECT coalesce(array_agg(first.member_id), '{}')
        FROM (SELECT dm.member_id FROM ${roster} ORDER BY dm.position LIMIT ${raw(String(MAX_MEMBER_IDS))}) first)`,
        example: [
          'mem_01j00000000000000000000034',
          'mem_01j00000000000000000000049',
          'mem_01j0000000000000000000005e',
          'mem_01j0000000000000000000000b',
          'mem_01j0000000000000000000002n',
        ],
      },
    ),
    members_count: count('The number of members.', {
      required: true,
      readOnly: true,
      sql: sql`dep.members_count`,
      example: 5,
    }),
    created_at: recordTime('When the department was created.', { example: '2026-01-05T19:00:00.000Z' }),
    updated_at: recordTime('When the department was last updated.', { example: '2026-02-24T19:00:00.000Z' }),
  },
  embedded: {
    fields: ['member_ids', 'members_count'],
    length: sql`(SELECT count(*) FROM ${roster})`,
    lengthColumn: 'members_count',
    max: MAX_MEMBER_IDS,
  },
  importFields: { head: text('The head of the department.', { isReference: true }) },
});

/** A department as callers see it. */
export type Department = RecordOf<typeof department>;

/** `GET /departments`. */
export const listDepartments = defineList(department);

/** Departments by id. */
export const findDepartments = defineFind(department);

/** The departments of each of several members, in one statement. */
export const findDepartmentsOfMembers = defineOperation({
  scope: 'departments.view',
  input: z.array(z.string()),
  run: (context, memberIds, fields): Promise<JsonRecord<Department>[][]> =>
    readOfMembers(
      context,
      context.db,
      department.source,
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
