import { z } from 'zod';
import type { Database } from '../store/database.ts';
import { sql } from '../store/sql.ts';
import type { Context } from './context.ts';
import type { Columns, Fields } from './fields.ts';
import { defineFind } from './find.ts';
import type { JsonRecord } from './json-record.ts';
import { defineList } from './list.ts';
import { readOfMembers } from './of-members.ts';
import { defineOperation } from './operation.ts';
import type { RecordSource } from './records.ts';
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

const columns: Columns<Tag> = {
  id: sql`t.id`,
  name: sql`t.name`,
  slug: sql`t.slug`,
  description: sql`t.description`,
  category: sql`t.category`,
  color: sql`t.color`,
};

/** Which tags the API shows, adds and removes (specification, "Tag assignability"). */
export const isAssignable = sql`t.source = 'admin' AND t.privacy = 'public'`;

const tags: RecordSource<Tag> = { name: 'tags', columns, table: 'tag', alias: 't', condition: isAssignable };

/** `GET /tags`: the assignable tags; search matches the name. */
export const listTags = defineList({
  scope: 'tags.view',
  source: tags,
  matches: (search) => matchesSearch('t', search),
});

/** Assignable tags by id. */
export const findTags = defineFind({ scope: 'tags.view', source: tags, prefix: 'tag' });

/** The assignable tags of each of several members, in one statement; a tag that many have is read once. */
export const findTagsOfMembers = defineOperation({
  scope: 'tags.view',
  input: z.array(z.string()),
  run: (context, memberIds, fields) => readTagsOfMembers(context, context.db, memberIds, fields),
});

/** The assignable tags of members of the caller's organization, in the order of the tags. */
export function readTagsOfMembers(
  context: Context,
  db: Database,
  memberIds: readonly string[],
  fields?: Fields,
): Promise<JsonRecord<Tag>[][]> {
  return readOfMembers(context, db, tags, { table: 'member_tag', column: 'tag_id' }, memberIds, fields);
}
