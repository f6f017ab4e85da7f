import type { ObjectFieldBuilder } from '@pothos/core';
import { MAX_MEMBER_IDS } from '../../../domain/core/limits.ts';
import { type Entity, pluralInSentence } from '../../../domain/definition/entity.ts';
import { department, findDepartmentsOfMembers } from '../../../domain/entities/department.ts';
import { getMember, listMembers, member, TAG_IDS } from '../../../domain/entities/member.ts';
import { findTagsOfMembers, tag } from '../../../domain/entities/tag.ts';
import { createMember } from '../../../domain/members/create-member.ts';
import type { ListMembersOf } from '../../../domain/members/member-lists.ts';
import { getMemberTags } from '../../../domain/members/member-tags.ts';
import { updateMember } from '../../../domain/members/update-member.ts';
import { extensions, nestedConnection, nestedList } from '../../data/field-extensions.ts';
import { departmentsOfMember, membersOf, tagsOfMember } from '../../data/loaders.ts';
import { readRecords } from '../../raw-json/read.ts';
import { addGet, addList, addType, typeOf } from '../add-entity.ts';
import type { SchemaTypes } from '../builder.ts';
import { readNestedConnection } from '../connection.ts';
import { addCreation, addUpdate } from '../mutation.ts';

addType(member, (t) => ({
  designationId: t.exposeID('designationId', {
    nullable: true,
    description: 'The id of the member’s designation, which `createMember` and `updateMember` accept.',
  }),
  tags: t.field({
    type: [typeOf(tag)],
    nullable: true,
    description:
      'The assignable tags of the member. Scope: `tags.view`. Costs one point per selection, regardless of the number of members.',
    ...extensions({
      ...nestedList,
      scopes: findTagsOfMembers.scopes,
      listLoader: tagsOfMember,
      counterpart: {
        operation: getMemberTags,
        toArguments: () => ({}),
        toInput: (_args, memberId) => ({ id: memberId }),
        parent: { field: 'member', toArguments: ({ id }) => ({ id }) },
      },
    }),
    resolve: ({ id }, _args, { loaders }, info) => readRecords(loaders.get(tagsOfMember), id, info),
  }),
  departments: t.field({
    type: [typeOf(department)],
    nullable: true,
    description: `The departments of the member. Scope: \`departments.view\`. Costs one point per selection, regardless of the number of members. If \`memberIds\` is selected and would have more than ${MAX_MEMBER_IDS.toLocaleString('en-US')} ids in total, the error is \`query_too_complex\`; select \`id\` and read the departments one by one with \`node\`.`,
    ...extensions({ ...nestedList, scopes: findDepartmentsOfMembers.scopes, listLoader: departmentsOfMember }),
    resolve: ({ id }, _args, { loaders }, info) => readRecords(loaders.get(departmentsOfMember), id, info),
  }),
}));

/** The type of a page of members: of the organization, a department, a tag or a designation. */
const MemberConnectionType = addList(member, listMembers);

/**
 * Returns a field with a page of the members of a record.
 *
 * @param list lists the members of several such records.
 * @param entity the type of the records.
 */
export function membersField<Parent extends { readonly id: string }>(
  t: ObjectFieldBuilder<SchemaTypes, Parent>,
  list: ListMembersOf,
  entity: Entity,
  description: string,
) {
  const loader = membersOf(list);
  return t.field({
    type: MemberConnectionType,
    nullable: true,
    description: `${description} Scope: \`members.view\`. Costs one point per selection, regardless of the number of ${pluralInSentence(entity)}.`,
    ...extensions({ ...nestedConnection, scopes: list.scopes }),
    args: t.arg.connectionArgs(),
    resolve: ({ id }, args, context, info) => readNestedConnection(context, loader, id, args, info),
  });
}

addGet(member, getMember);

addCreation(member, {
  name: 'createMember',
  operation: createMember,
  inputFields: (t) => ({ tagIds: t.idList({ description: TAG_IDS.create }) }),
  description:
    'Creates a member. If the email address belongs to a member of another organization, the new member gets the same id; data of the other organization is not shared. Errors: `member_exists`, `org_limit_reached` (a person can be a member of at most three organizations).',
});

addUpdate(member, {
  name: 'updateMember',
  operation: updateMember,
  inputFields: (t) => ({ tagIds: t.idList({ description: TAG_IDS.update }) }),
  description: 'Updates a member. Errors: `not_found`, `email_in_use`, `precondition_failed`.',
});
