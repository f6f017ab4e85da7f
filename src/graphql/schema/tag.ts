import { type MemberTags, updateMemberTags } from '../../domain/member-tags.ts';
import { listTags } from '../../domain/tag.ts';
import { runMutation } from '../data/run-mutation.ts';
import { embeddedList } from '../execution/field-extensions.ts';
import { builder } from './builder.ts';
import { addRootList } from './connection.ts';
import { MemberType, TagType } from './type-refs.ts';

builder.objectType(TagType, {
  description: 'A tag that can be added to and removed from members: made by an administrator, and public.',
  interfaces: [builder.nodeInterfaceRef()],
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The tag’s id, the same as in REST.' }),
    name: t.exposeString('name', { description: 'Name.' }),
    slug: t.exposeString('slug', { description: 'Name for addresses, unique in the organization.' }),
    description: t.exposeString('description', { nullable: true, description: 'What the tag says of a member.' }),
    category: t.exposeString('category', { nullable: true, description: 'Group of tags it belongs to.' }),
    color: t.exposeString('color', { nullable: true, description: 'Color in which it is shown.' }),
  }),
});

addRootList(TagType, {
  name: 'tags',
  one: 'A tag',
  many: 'tags',
  list: listTags,
  description: 'The assignable tags of the organization. Scope: `tags.view`.',
  search: 'Only tags whose name contains this text.',
});

const UpdateMemberTagsInput = builder.inputType('UpdateMemberTagsInput', {
  description: 'Tags to add to and remove from a member: at most 100, none in both lists.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'The member’s id.' }),
    add: t.idList({ description: 'Ids of tags to add.' }),
    remove: t.idList({ description: 'Ids of tags to remove.' }),
  }),
});

const UpdateMemberTagsPayload = builder
  .objectRef<MemberTags & { memberId: string }>('UpdateMemberTagsPayload')
  .implement({
    description: 'What changing a member’s tags made.',
    fields: (t) => ({
      member: t.field({
        type: MemberType,
        nullable: true,
        description: 'The member. Scope: `members.view`.',
        resolve: async ({ memberId }, _args, { loaders }) => (await loaders.members.load(memberId)) ?? null,
      }),
      tags: t.field({
        type: [TagType],
        description: 'All assignable tags of the member after the change.',
        ...embeddedList,
        resolve: ({ tags }) => tags,
      }),
      ignoredTagIds: t.exposeIDList('ignored_tag_ids', {
        description: 'The given ids that name no assignable tag of this organization; they changed nothing.',
      }),
    }),
  });

builder.mutationField('updateMemberTags', (t) =>
  t.field({
    type: UpdateMemberTagsPayload,
    nullable: true,
    description: 'Adds tags to a member and removes others. Errors: `not_found`. Scope: `members.update`.',
    args: { input: t.arg({ type: UpdateMemberTagsInput, required: true, description: 'The member and its tags.' }) },
    resolve: async (_root, { input: { id, ...changes } }, context) => ({
      memberId: id,
      ...(await runMutation(context, updateMemberTags, { id, changes })),
    }),
  }),
);
