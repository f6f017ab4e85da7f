import { z } from 'zod';
import { sql } from '../../store/sql.ts';
import { defineOperation } from '../core/operation.ts';
import { DEPARTMENT_MEMBER_LINK } from '../entities/department.ts';
import { designationOfMember, type Member, member } from '../entities/member.ts';
import { MEMBER_TAG_LINK } from '../entities/tag.ts';
import { type Page, pageArguments } from '../lists/page.ts';
import { readPagesByParent } from '../lists/read-pages.ts';
import type { MemberLink } from '../records/member-relations.ts';
import type { RecordSource } from '../records/records.ts';

/** Lists a page of members for each of several departments, in the order in which they joined, in one statement. */
export const listMembersOfDepartments = defineMembersOf(
  'listMembersOfDepartments',
  linkedMembers('department_members', DEPARTMENT_MEMBER_LINK),
  `link.${DEPARTMENT_MEMBER_LINK.column}`,
);

/** Lists a page of members for each of several tags, in the order in which they got the tag, in one statement. */
export const listMembersOfTags = defineMembersOf(
  'listMembersOfTags',
  linkedMembers('tag_members', MEMBER_TAG_LINK),
  `link.${MEMBER_TAG_LINK.column}`,
);

/** Lists a page of members for each of several designations, in the order of entry, in one statement. */
export const listMembersOfDesignations = defineMembersOf(
  'listMembersOfDesignations',
  { ...member.source, name: 'designation_members' },
  'm.designation_id',
);

/** The source of the members in a link table, in the order of its rows. Its alias is `link`. */
function linkedMembers(name: string, { table }: MemberLink): RecordSource<Member> {
  return {
    name,
    columns: member.source.columns,
    table,
    alias: 'link',
    joins: sql`
      JOIN member m ON m.organization_id = link.organization_id AND m.id = link.member_id ${designationOfMember}`,
  };
}

/** Lists a page of members for each of several records. */
export type ListMembersOf = ReturnType<typeof defineMembersOf>;

/** @param column the column of `source` with the id of the department, tag or designation. */
function defineMembersOf(name: string, source: RecordSource<Member>, column: string) {
  return defineOperation({
    name,
    scope: 'members.view',
    input: z.strictObject({ ids: z.array(z.string()), page: pageArguments }),
    run: (context, { ids, page }, fields): Promise<(Page<Member> | Error)[]> =>
      readPagesByParent(context, source, { parent: { column, type: 'text' }, keys: ids, page }, fields),
  });
}
