import { z } from 'zod';
import { sql } from '../../store/sql.ts';
import { searchTextOf } from '../search.ts';
import { LONG, normalizeText, optionalText, requiredText } from '../text.ts';
import { type Batch, type FieldKind, rejected } from './batch.ts';
import { AMBIGUOUS, exportedId, type Identity, ownIdsWith, recordsByKey } from './external-id.ts';
import { externalId, moment, parserOf } from './input.ts';
import { changedColumns, columnsOf, newIdsWith, type Row } from './record-kind.ts';
import { defineRecords } from './records.ts';

/** A tag is found by its slug too, or by its name in any letter case. */
export const tagIdentity: Identity = {
  name: 'tags',
  table: 'tag',
  ownId: ownIdsWith('tag'),
  key: { of: normalizeText, find: findBySlugOrName },
};

async function findBySlugOrName({ rows, organization }: Batch, keys: readonly string[]) {
  const found = await rows<{ slug: string; search_text: string; id: string }>(sql`
    SELECT slug, search_text, id FROM tag
    WHERE organization_id = ${organization.id} AND (slug = ANY(${[...keys]}::text[])
      OR search_text = ANY(${keys.map((key) => searchTextOf(key))}::text[]))`);
  const slugs = new Map(found.map(({ slug, id }) => [slug, id]));
  return keys.flatMap((key) => {
    const id = slugs.get(key);
    const named = id === undefined ? found.filter(({ search_text }) => search_text === searchTextOf(key)) : [{ id }];
    return named.map((tag) => ({ key, id: tag.id }));
  });
}

/** The slug of a tag that a file gives none: its name in lower case, hyphens for what is no letter or digit. */
function slugOf(name: string): string {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').normalize('NFC').toLowerCase();
  return plain.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-+|-+$/g, '') || plain;
}

const fields: Readonly<Record<string, FieldKind>> = {
  external_id: 'text',
  name: 'text',
  slug: 'text',
  description: 'text',
  category: 'text',
  color: 'text',
  source: 'text',
  privacy: 'text',
  created_at: 'timestamp',
};

/** Tags in bulk: of every source and privacy, because this is not the API but who owns the data. */
export const bulkTags = defineRecords({
  name: 'tags',
  record: 'Tag',
  identity: tagIdentity,
  fields,
  parse: parserOf(
    z.strictObject({
      external_id: externalId.optional(),
      name: requiredText(),
      slug: requiredText().optional(),
      description: optionalText(LONG),
      category: optionalText(),
      color: optionalText(),
      source: z.enum(['admin', 'system', 'ai']).optional(),
      privacy: z.enum(['public', 'private']).optional(),
      created_at: moment.nullish(),
    }),
  ),
  keyOf: ({ slug, name }) => (slug ?? (typeof name === 'string' ? slugOf(name) : undefined)) as string | undefined,
  keyField: 'slug',
  takenCode: 'invalid_request',
  columns: columnsOf(fields),
  derived: { search_text: 'text' },
  derive: ({ name, slug }) => ({ search_text: searchTextOf(String(name)), slug: slug ?? slugOf(String(name)) }),
  times: ['created_at'],
  defaults: { source: 'admin', privacy: 'public' },
  newIds: newIdsWith('tag'),
  check: rejectTakenSlugs,
  exported: (organizationId) => sql`
    SELECT ${exportedId('tags', organizationId, sql`t.id`)} AS external_id, t.name, t.slug, t.description, t.category,
      t.color, t.source, t.privacy, t.created_at
    FROM tag t WHERE t.organization_id = ${organizationId} ORDER BY t.position`,
});

/** An organization has a slug once. */
async function rejectTakenSlugs(batch: Batch, _: readonly Row[], changes: readonly Row[]): Promise<void> {
  const moving = changes.filter((row) => changedColumns({ columns: { slug: 'text' } }, row).length > 0);
  const found = await recordsByKey(
    batch,
    tagIdentity,
    moving.map(({ after }) => String(after?.slug)),
  );
  for (const row of moving) {
    const holder = found.get(String(row.after?.slug));
    if (holder === undefined || holder === row.id || holder === AMBIGUOUS) continue;
    row.outcome = rejected({ field: 'slug', message: 'is that of another tag' });
  }
}
