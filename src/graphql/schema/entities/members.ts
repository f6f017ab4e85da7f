import type { ObjectFieldBuilder } from '@pothos/core';
import { type Entity, pluralInSentence } from '../../../domain/definition/entity.ts';
import {
  department,
  findDepartmentsOfMembers,
  getDepartment,
  listDepartments,
} from '../../../domain/entities/department.ts';
import { designation, getDesignation, listDesignations } from '../../../domain/entities/designation.ts';
import { getMember, listMembers, member, TAG_IDS } from '../../../domain/entities/member.ts';
import { ENTITIES } from '../../../domain/entities/registry.ts';
import { findTagsOfMembers, getTag, listTags, tag } from '../../../domain/entities/tag.ts';
import { createMember } from '../../../domain/members/create-member.ts';
import {
  type ListMembersOf,
  listMembersOfDepartments,
  listMembersOfDesignations,
  listMembersOfTags,
} from '../../../domain/members/member-lists.ts';
import { getMemberTags, type MemberTags, updateMemberTags } from '../../../domain/members/member-tags.ts';
import { updateMember } from '../../../domain/members/update-member.ts';
import { MAX_MEMBER_IDS } from '../../../domain/values/limits.ts';
import { embeddedList, extensions, nestedConnection, nestedList } from '../../data/field-extensions.ts';
import { departmentsOfMember, membersOf, recordLoaders, tagsOfMember } from '../../data/loaders.ts';
import { loadRecord, readNestedConnection, readRecords } from '../../raw-json/read.ts';
import type { SchemaTypes } from '../builder.ts';
import { addCreation, addMutation, addUpdate } from '../entity-mutations.ts';
import { addGet, addList } from '../entity-queries.ts';
import { addType, typeOf } from '../entity-types.ts';

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
function membersField<Parent extends { readonly id: string }>(
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
  operation: createMember,
  inputFields: (t) => ({ tagIds: t.idList({ description: TAG_IDS.create }) }),
  description:
    'Creates a member. If the email address belongs to a member of another organization, the new member gets the same id; data of the other organization is not shared. Errors: `member_exists`, `org_limit_reached` (a person can be a member of at most three organizations).',
});

addUpdate(member, {
  operation: updateMember,
  inputFields: (t) => ({ tagIds: t.idList({ description: TAG_IDS.update }) }),
  description: 'Updates a member. Errors: `not_found`, `email_in_use`, `precondition_failed`.',
});

addType(tag, (t) => ({
  members: membersField(
    t,
    listMembersOfTags,
    tag,
    'The members that have the tag, in the order in which it was added to them.',
  ),
}));
addList(tag, listTags, 'The assignable tags of the organization.');
addGet(tag, getTag);

addMutation(
  {
    operation: updateMemberTags,
    description: 'Adds tags to a member and removes tags from it. Errors: `not_found`.',
  },
  {
    inputDescription:
      'The tags to add to and remove from a member: at most 100 in total. A tag cannot be in both lists.',
    fields: (t) => ({
      id: t.id({ required: true, description: 'The member’s id.' }),
      add: t.idList({ description: 'The ids of tags to add.' }),
      remove: t.idList({ description: 'The ids of tags to remove.' }),
    }),
    toInput: ({ id, ...changes }) => ({ id, changes }),
    fromInput: ({ id, changes }) => ({ id, ...(changes as object) }),
  },
  {
    resultOf: (tags: MemberTags, { id }) => ({ ...tags, memberId: id as string }),
    payloadFields: (t) => ({
      member: t.field({
        type: typeOf(member),
        nullable: true,
        description: 'The member. Scope: `members.view`.',
        ...extensions({ scopes: ENTITIES.members.find.scopes }),
        resolve: ({ result }, _args, { loaders }, info) =>
          result && loadRecord(loaders.get(recordLoaders.members), result.memberId, info),
      }),
      tags: t.field({
        type: [typeOf(tag)],
        description: 'All assignable tags of the member after the update.',
        ...extensions(embeddedList),
        resolve: ({ result }) => result?.tags ?? [],
      }),
      ignoredTagIds: t.idList({
        description: 'Ids from the input that are not assignable tags of the organization. They were ignored.',
        resolve: ({ result }) => result?.ignored_tag_ids ?? [],
      }),
    }),
  },
);

addType(designation, (t) => ({
  members: membersField(
    t,
    listMembersOfDesignations,
    designation,
    'Its members, in the order in which they were added to the organization.',
  ),
}));
addList(designation, listDesignations);
addGet(designation, getDesignation);

addType(department, (t) => ({
  headOfDepartment: t.field({
    type: typeOf(member),
    nullable: true,
    description: 'The head of the department. Scope: `members.view`.',
    ...extensions({
      scopes: ENTITIES.members.find.scopes,
      columns: ['headId'],
      textFields: ['firstName', 'lastName'],
    }),
    resolve: ({ headId }, _args, { loaders }, info) =>
      headId === null ? null : loadRecord(loaders.get(recordLoaders.members), headId, info),
  }),
  memberIds: t.exposeIDList('memberIds', {
    description: department.fields.member_ids.description,
    deprecationReason: 'Use `members`, which has pages.',
    ...extensions(embeddedList),
  }),
  members: membersField(
    t,
    listMembersOfDepartments,
    department,
    'Its members, in the order in which they joined the department.',
  ),
}));
addList(department, listDepartments);
addGet(department, getDepartment);
