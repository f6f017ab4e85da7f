import { z } from 'zod';
import { sql } from '../../store/sql.ts';
import type { Context } from '../core/context.ts';
import { defineOperation, type SelectedFields } from '../core/operation.ts';
import { defineEntity, type RecordOf } from '../definition/entity.ts';
import { id, longText, oneOf, recordTime, text } from '../definition/field.ts';
import { defineGet } from '../definition/find.ts';
import { defineList } from '../definition/list.ts';
import { type MemberLink, readMemberRelations } from '../records/member-relations.ts';
import type { JsonRecord } from '../records/records.ts';
import { findsIds, idProblem, isId } from '../values/ids.ts';
import { MAX_ID_CHARACTERS, MAX_TAG_IDS } from '../values/limits.ts';
import { isStorable, requiredText } from '../values/text.ts';

const tagSource = {
  name: 'TagSource',
  description: 'Who creates tags.',
  values: { admin: 'An administrator.', system: 'The system.', ai: 'A suggestion of software.' },
};

const tagPrivacy = {
  name: 'TagPrivacy',
  description: 'Who sees tags.',
  values: { public: 'Everybody with access to members.', private: 'Nobody outside the source system.' },
};

/**
 * The condition that a tag is assignable: the APIs show, add and remove only such tags (specification, "Tag
 * assignability").
 */
export const isAssignable = sql`t.source = 'admin' AND t.privacy = 'public'`;

const tagId = z
  .string({ error: 'must be the id of a tag, a string' })
  .max(MAX_ID_CHARACTERS, { error: `must be at most ${MAX_ID_CHARACTERS} characters`, abort: true })
  .refine(isStorable, { error: 'must not contain NUL or a lone surrogate' });

/** Tag ids in an input. Malformed ids are accepted here, and ignored later. */
export const tagIds = z
  .array(tagId, { error: 'must be an array of tag ids' })
  .max(MAX_TAG_IDS, { error: `must contain at most ${MAX_TAG_IDS} tags` });

/** Tag ids in an input, which must be well-formed. The write checks that the tags are assignable. */
export const wellFormedTagIds = tagIds.superRefine((ids, { addIssue }) => {
  const malformed = ids.find((value) => !isId('tag', value));
  if (malformed !== undefined) addIssue({ code: 'custom', message: unassignableTag(malformed) });
});

/** Returns the message for an id that does not belong to an assignable tag. */
export function unassignableTag(value: string): string {
  const problem = idProblem('tag', 'tag', value);
  return `unknown or unassignable tag: ${problem ?? value}; ${findsIds('tags')}`;
}

/** Tags (specification, "Tag"). The APIs show assignable tags only; imports and exports include all. */
export const tag = defineEntity({
  name: 'Tag',
  plural: 'tags',
  description:
    'An assignable tag: a public tag that an administrator created. It can be added to and removed from members.',
  scope: 'tags.view',
  table: 'tag',
  alias: 't',
  prefix: 'tag',
  condition: isAssignable,
  fields: {
    id: id('The tag’s id.', { example: 'tag_01j00000000000000000000001' }),
    name: text('Name.', { required: true, searchable: true, example: 'Volunteer' }),
    slug: text('Name for use in URLs, unique in the organization.', {
      required: true,
      input: requiredText().optional(),
      example: 'volunteer',
    }),
    description: longText('The meaning of the tag.', { example: 'Serves on at least one team' }),
    category: text('The category of the tag.', { example: 'Service' }),
    color: text('The display color.', { example: '#2E7D32' }),
  },
  fileFields: {
    source: oneOf(tagSource, 'Who created the tag.', { default: 'admin' }),
    privacy: oneOf(tagPrivacy, 'Who sees the tag.', { default: 'public' }),
    created_at: recordTime('When the tag was created.'),
  },
});

/** A tag as callers see it. */
export type Tag = RecordOf<typeof tag>;

/** `GET /tags`: the assignable tags. */
export const listTags = defineList(tag);

/** `GET /tags/{id}`. */
export const getTag = defineGet(tag);

/** The join table of tags and members. */
export const MEMBER_TAG_LINK: MemberLink = { table: 'member_tag', column: 'tag_id' };

/** The assignable tags of each of several members, in one statement; a tag that several members have is read once. */
export const findTagsOfMembers = defineOperation({
  name: 'findTagsOfMembers',
  scope: 'tags.view',
  input: z.array(z.string()),
  run: (context, memberIds, fields) => readTagsOfMembers(context, memberIds, fields),
});

/** The assignable tags of members of the caller's organization, in the order of the tags. */
export function readTagsOfMembers(
  context: Context,
  memberIds: readonly string[],
  fields?: SelectedFields,
): Promise<JsonRecord<Tag>[][]> {
  return readMemberRelations(context, tag.source, MEMBER_TAG_LINK, memberIds, fields);
}
