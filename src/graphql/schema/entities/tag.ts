import { member } from '../../../domain/entities/member.ts';
import { ENTITIES } from '../../../domain/entities/registry.ts';
import { getTag, listTags, tag } from '../../../domain/entities/tag.ts';
import { listMembersOfTags } from '../../../domain/members/member-lists.ts';
import { type MemberTags, updateMemberTags } from '../../../domain/members/member-tags.ts';
import { loadRecord } from '../../data/read.ts';
import { runMutation } from '../../data/run-mutation.ts';
import { embeddedList, extensions, guardedBy, nestedConnection } from '../../operation/field-extensions.ts';
import { addGet, addList, addType, typeOf } from '../add-entity.ts';
import { builder } from '../builder.ts';
import { readNestedConnection } from '../connection.ts';
import { MemberConnectionType } from './member.ts';

addType(tag, (t) => ({
  members: t.field({
    type: MemberConnectionType,
    nullable: true,
    description:
      'Its members, in the order in which they got the tag. Scope: `members.view`. Costs one point per selection, regardless of the number of tags.',
    ...guardedBy(listMembersOfTags, nestedConnection),
    args: t.arg.connectionArgs(),
    resolve: ({ id }, args, { loaders }, info) => readNestedConnection(loaders.membersOfTag, id, args, info),
  }),
}));
addList(tag, listTags, { list: 'The assignable tags of the organization.' });
addGet(tag, getTag);

const UpdateMemberTagsInput = builder.inputType('UpdateMemberTagsInput', {
  description: 'The tags to add to and remove from a member: at most 100 in total. A tag cannot be in both lists.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'The member’s id.' }),
    add: t.idList({ description: 'The ids of tags to add.' }),
    remove: t.idList({ description: 'The ids of tags to remove.' }),
  }),
});

const UpdateMemberTagsPayload = builder
  .objectRef<MemberTags & { memberId: string }>('UpdateMemberTagsPayload')
  .implement({
    description: 'The result of `updateMemberTags`.',
    fields: (t) => ({
      member: t.field({
        type: typeOf(member),
        nullable: true,
        description: 'The member. Scope: `members.view`.',
        ...guardedBy(ENTITIES.members.find, extensions({ sample: { memberId: '' } })),
        resolve: ({ memberId }, _args, { loaders }, info) => loadRecord(loaders.members, memberId, info),
      }),
      tags: t.field({
        type: [typeOf(tag)],
        description: 'All assignable tags of the member after the update.',
        ...embeddedList,
        resolve: ({ tags }) => tags,
      }),
      ignoredTagIds: t.exposeIDList('ignored_tag_ids', {
        description: 'Ids from the input that are not assignable tags of the organization. They were ignored.',
      }),
    }),
  });

builder.mutationField('updateMemberTags', (t) =>
  t.field({
    type: UpdateMemberTagsPayload,
    ...extensions({
      counterpart: {
        operation: updateMemberTags,
        argumentsOf: ({ id, changes }) => ({ input: { id, ...(changes as object) } }),
      },
    }),
    nullable: true,
    description: 'Adds tags to a member and removes tags from it. Errors: `not_found`. Scope: `members.update`.',
    args: {
      input: t.arg({
        type: UpdateMemberTagsInput,
        required: true,
        description: 'The id of the member and the tags to add and remove.',
      }),
    },
    resolve: async (_root, { input: { id, ...changes } }, context) => ({
      memberId: id,
      ...(await runMutation(context, updateMemberTags, { id, changes })),
    }),
  }),
);
