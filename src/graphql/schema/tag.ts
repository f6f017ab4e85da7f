import { type MemberTags, updateMemberTags } from '../../domain/member-tags.ts';
import { listTags } from '../../domain/tag.ts';
import { runMutation } from '../data/run-mutation.ts';
import { embeddedList } from '../execution/field-extensions.ts';
import { builder } from './builder.ts';
import { addRootList } from './connection.ts';
import { MemberType, TagType } from './type-refs.ts';

builder.objectType(TagType, {
  description:
    'An assignable tag: a public tag that an administrator created. It can be added to and removed from members.',
  interfaces: [builder.nodeInterfaceRef()],
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The tag’s id, the same as in REST.' }),
    name: t.exposeString('name', { description: 'Name.' }),
    slug: t.exposeString('slug', { description: 'Name for use in URLs, unique in the organization.' }),
    description: t.exposeString('description', { nullable: true, description: 'The meaning of the tag.' }),
    category: t.exposeString('category', { nullable: true, description: 'The category of the tag.' }),
    color: t.exposeString('color', { nullable: true, description: 'The display color.' }),
  }),
});

addRootList(TagType, {
  name: 'tags',
  one: 'A tag',
  many: 'tags',
  list: listTags,
  description: 'The assignable tags of the organization. Scope: `tags.view`.',
  search: 'Returns only tags whose name contains every word of this text.',
});

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
        type: MemberType,
        nullable: true,
        description: 'The member. Scope: `members.view`.',
        resolve: async ({ memberId }, _args, { loaders }) => (await loaders.members.load(memberId)) ?? null,
      }),
      tags: t.field({
        type: [TagType],
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
