import { z } from 'zod';
import { raw, sql } from '../../store/sql.ts';
import { defineOperation } from '../core/operation.ts';
import { defineEntity, type RecordOf } from '../definition/entity.ts';
import { count, foreignId, id, ids, recordTime, text } from '../definition/field.ts';
import { defineGet } from '../definition/find.ts';
import { defineList } from '../definition/list.ts';
import { type MemberLink, readMemberRelations } from '../records/member-relations.ts';
import type { JsonRecord } from '../records/records.ts';
import { MAX_MEMBER_IDS } from '../values/limits.ts';

/** The memberships of the department `dep`, for the FROM clause of a subquery. */
const memberships = sql`
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
      isResponseOnly: true,
      sql: sql`(
        SELECT head.first_name || ' ' || head.last_name FROM member head
        WHERE head.organization_id = dep.organization_id AND head.id = dep.head_id)`,
      example: 'Duy Winslow',
    }),
    head_id: foreignId('The id of the head of the department.', { isForResolvers: true }),
    member_ids: ids(
      `The ids of its members, in the order in which they joined the department: at most the first ${MAX_MEMBER_IDS.toLocaleString('en-US')}. The number of members includes all of them. A page has fewer departments if it would otherwise have more than ${MAX_MEMBER_IDS.toLocaleString('en-US')} of these ids.`,
      {
        sql: sql`(
        SELECT coalesce(array_agg(first.member_id), '{}')
        FROM (SELECT dm.member_id FROM ${memberships} ORDER BY dm.position LIMIT ${raw(String(MAX_MEMBER_IDS))}) first)`,
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
      isResponseOnly: true,
      sql: sql`(SELECT count(*) FROM ${memberships})`,
      example: 5,
    }),
    created_at: recordTime('When the department was created.', { example: '2026-01-05T19:00:00.000Z' }),
    updated_at: recordTime('When the department was last updated.', { example: '2026-02-24T19:00:00.000Z' }),
  },
  embedded: {
    field: 'member_ids',
    elements: memberships,
    max: MAX_MEMBER_IDS,
  },
  fileFields: { head: text('The head of the department.') },
});

/** A department as callers see it. */
export type Department = RecordOf<typeof department>;

/** `GET /departments`. */
export const listDepartments = defineList(department);

/** `GET /departments/{id}`. */
export const getDepartment = defineGet(department);

/** The join table of departments and members. */
export const DEPARTMENT_MEMBER_LINK: MemberLink = { table: 'department_member', column: 'department_id' };

/** The departments of each of several members by id, in one statement. */
export const findDepartmentsOfMembers = defineOperation({
  name: 'findDepartmentsOfMembers',
  scope: 'departments.view',
  input: z.array(z.string()),
  run: (context, memberIds, fields): Promise<JsonRecord<Department>[][]> =>
    readMemberRelations(context, department.source, DEPARTMENT_MEMBER_LINK, memberIds, fields),
});
