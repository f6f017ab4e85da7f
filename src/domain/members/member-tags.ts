import { z } from 'zod';
import { violatedConstraint } from '../../store/errors.ts';
import { raw, type Sql, sql } from '../../store/sql.ts';
import { auditWrite } from '../core/audit.ts';
import type { Context } from '../core/context.ts';
import { invalidRequest } from '../core/errors.ts';
import { defineOperation, defineWrite } from '../core/operation.ts';
import { setUnknownFieldMessages } from '../core/parse-input.ts';
import { takeNumbers, writeInTransaction } from '../core/writes.ts';
import { clearable } from '../definition/field.ts';
import { lockRecord } from '../definition/update.ts';
import { getMember, member } from '../entities/member.ts';
import {
  findTagsOfMembers,
  isAssignable,
  readTagsOfMembers,
  type Tag,
  tagIds,
  unassignableTag,
} from '../entities/tag.ts';
import { MAX_TAG_IDS } from '../values/limits.ts';

/** The body of `PATCH /members/{object_id}/tags`. */
const tagChanges = z
  .strictObject({
    add: clearable(tagIds.nullish()).describe('Ids of tags to add.'),
    remove: clearable(tagIds.nullish()).describe('Ids of tags to remove. An id must not be in both lists.'),
  })
  .superRefine(({ add, remove }, check) => {
    const [added, removed] = [new Set(add), new Set(remove)];
    if (added.size + removed.size > MAX_TAG_IDS) {
      check.addIssue({
        code: 'custom',
        path: ['add'],
        message: `add and remove must contain at most ${MAX_TAG_IDS} tags in total`,
      });
    }
    if ([...removed].some((id) => added.has(id))) {
      check.addIssue({ code: 'custom', path: ['remove'], message: 'must not contain an id that is also in add' });
    }
  })
  .meta({ id: 'MemberTagChanges', description: 'The tags to add to a member and to remove from it.' });
setUnknownFieldMessages(tagChanges, {
  'set replace replace_with':
    'use PATCH /v1/members/{object_id} (GraphQL: updateMember) with tag_ids, which replaces all tags',
});

/**
 * `GET /members/{object_id}/tags`: the assignable tags of a member.
 *
 * @throws {ServiceError} `not_found` for the member; `missing_scope` for the tags.
 */
export const getMemberTags = defineOperation({
  name: 'getMemberTags',
  scope: 'members.view',
  scopesOfInput: () => findTagsOfMembers.scopes.map((scope) => ({ scope })),
  input: z.strictObject({ id: z.string() }),
  run: async (context, { id }): Promise<readonly Tag[]> => {
    await getMember(context, { id }, { id: 'id' });
    const [tags = []] = await readTagsOfMembers(context, [id]);
    return tags.map((tag) => tag.parse());
  },
});

/** A member's assignable tags after a change, and the ids in the input that do not belong to assignable tags. */
export interface MemberTags {
  readonly tags: readonly Tag[];
  readonly ignored_tag_ids: readonly string[];
}

/**
 * `PATCH /members/{object_id}/tags`. Ids of tags that are unknown, of another organization or not assignable are ignored.
 *
 * @throws {ServiceError} `not_found` for the member; `precondition_failed`.
 */
export const updateMemberTags = defineWrite({
  name: 'updateMemberTags',
  scope: 'members.update',
  input: z.strictObject({ id: z.string(), changes: tagChanges }),
  record: { prefix: member.prefix, idOf: ({ id }) => id },
  run: (context, { id, changes }): Promise<MemberTags> => {
    const [add, remove] = [[...new Set(changes.add)], [...new Set(changes.remove)]];
    const ids = [...add, ...remove];
    const change = async (inTransaction: Context): Promise<MemberTags> => {
      await lockRecord(inTransaction, member, { id }, raw('id'));
      const removed = sql`mt.tag_id = ANY(${remove}::text[])`;
      const assignable =
        ids.length > 0 ? await writeTags(inTransaction, id, { add, removed, checked: ids }) : new Set();
      await inTransaction.db.rows(auditWrite(inTransaction, 'updateMemberTags', sql`${id}`));
      const [tags = []] = await readTagsOfMembers(inTransaction, [id]);
      return {
        tags: tags.map((tag) => tag.parse()),
        ignored_tag_ids: ids.filter((tagId) => !assignable.has(tagId)),
      };
    };
    return writeInTransaction(context, change, { isRace: isTagRace });
  },
});

/** Whether a tag was deleted after the write had found it. */
export function isTagRace(error: unknown): boolean {
  return violatedConstraint(error) === 'member_tag_organization_id_tag_id_fkey';
}

/**
 * Replaces the assignable tags of a member in one statement. Tags that are not assignable stay.
 *
 * @param context its transaction must be rolled back if this throws.
 * @param ids well-formed ids.
 * @throws {ServiceError} `invalid_request` for ids of tags that are unknown or not assignable.
 */
export async function setTags(context: Context, memberId: string, ids: readonly string[]): Promise<void> {
  const removed = sql`NOT mt.tag_id = ANY(${ids}::text[])`;
  const assignable = await writeTags(context, memberId, { add: ids, removed, checked: ids });
  const rejected = ids.find((id) => !assignable.has(id));
  if (rejected !== undefined) {
    throw invalidRequest({ field: 'tag_ids', message: unassignableTag(rejected) });
  }
}

/**
 * Adds and removes tags of a member in one statement. Only assignable tags are added and removed.
 *
 * @param changes.removed the condition of the tags to remove, on the table `mt`.
 * @param changes.checked the ids to check.
 * @returns those of `checked` that belong to assignable tags.
 */
async function writeTags(
  { db, caller }: Context,
  memberId: string,
  { add, removed, checked }: { add: readonly string[]; removed: Sql; checked: readonly string[] },
): Promise<Set<string>> {
  const organizationId = caller.organization.id;
  const rows = await db.rows<{ id: string }>(sql`
    WITH assignable AS (
      SELECT t.id FROM tag t
      WHERE t.organization_id = ${organizationId} AND ${isAssignable} AND t.id = ANY(${checked}::text[])
    ), removed AS (
      DELETE FROM member_tag mt USING tag t
      WHERE mt.organization_id = ${organizationId} AND mt.member_id = ${memberId} AND ${removed}
        AND t.organization_id = mt.organization_id AND t.id = mt.tag_id AND ${isAssignable}
    ), numbers AS (${takeNumbers(organizationId, add.length)}), added AS (
      INSERT INTO member_tag (organization_id, member_id, tag_id, position)
      SELECT ${organizationId}, ${memberId}, id, numbers.previous_number + row_number() OVER (ORDER BY id)
      FROM assignable, numbers WHERE id = ANY(${add}::text[])
      ON CONFLICT DO NOTHING
    )
    SELECT id FROM assignable`);
  return new Set(rows.map(({ id }) => id));
}
