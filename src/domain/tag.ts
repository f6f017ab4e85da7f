import { z } from 'zod';
import { sql } from '../store/sql.ts';
import type { Context } from './context.ts';
import { defineFind } from './find.ts';
import { defineOperation } from './operation.ts';
import { listInput, type Page } from './page.ts';
import { type RecordSource, readPage } from './records.ts';
import { matchesSearch } from './search.ts';

/** A tag as callers see it (specification, "Tag"). */
export interface Tag {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  readonly description: string | null;
  readonly category: string | null;
  readonly color: string | null;
}

/** The columns of a {@link Tag}, from the table `t`. */
export const tagColumns = sql`t.id, t.name, t.slug, t.description, t.category, t.color`;

/** Which tags the API shows, adds and removes (specification, "Tag assignability"). */
export const isAssignable = sql`t.source = 'admin' AND t.privacy = 'public'`;

const tags: RecordSource = {
  name: 'tags',
  columns: tagColumns,
  from: sql`tag t`,
  alias: 't',
  condition: isAssignable,
};

/** `GET /tags`: the assignable tags; search matches the name. */
export const listTags = defineOperation({
  scope: 'tags.view',
  input: listInput,
  run: (context, input): Promise<Page<Tag>> => readPage<Tag>(context, tags, input, matchesSearch('t', input.search)),
});

/** Assignable tags by id. */
export const findTags = defineFind<Tag>('tags.view', tags, 'tag');

/** The assignable tags of each of several members, in one statement. */
export const findTagsOfMembers = defineOperation({
  scope: 'tags.view',
  input: z.array(z.string()),
  run: async (context, memberIds): Promise<Tag[][]> => {
    const rows = await context.db.rows<Tag & { member_id: string }>(sql`
      SELECT mt.member_id, ${tagColumns} FROM ${tagsOfMember(context)} AND mt.member_id = ANY(${memberIds}::text[])
      ORDER BY t.position`);
    const byMember = new Map<string, Tag[]>(memberIds.map((id) => [id, []]));
    for (const row of rows) byMember.get(row.member_id)?.push(row);
    return memberIds.map((id) => byMember.get(id) ?? []);
  },
});

/** FROM and WHERE of the assignable tags (`t`) that members of the caller's organization have (`mt`). */
export function tagsOfMember(context: Context) {
  return sql`
    member_tag mt JOIN tag t ON t.organization_id = mt.organization_id AND t.id = mt.tag_id
    WHERE mt.organization_id = ${context.caller.organization.id} AND ${isAssignable}`;
}
