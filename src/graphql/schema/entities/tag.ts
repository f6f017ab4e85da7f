import { member } from '../../../domain/entities/member.ts';
import { ENTITIES } from '../../../domain/entities/registry.ts';
import { getTag, listTags, tag } from '../../../domain/entities/tag.ts';
import { listMembersOfTags } from '../../../domain/members/member-lists.ts';
import { type MemberTags, updateMemberTags } from '../../../domain/members/member-tags.ts';
import { embeddedList, extensions } from '../../data/field-extensions.ts';
import { recordLoaders } from '../../data/loaders.ts';
import { loadRecord } from '../../raw-json/read.ts';
import { addGet, addList, addType, typeOf } from '../add-entity.ts';
import { addMutation } from '../mutation.ts';
import { membersField } from './member.ts';

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
    name: 'updateMemberTags',
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
