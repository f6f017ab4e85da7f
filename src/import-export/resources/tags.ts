import { normalizeText } from '../../domain/core/text.ts';
import { tag } from '../../domain/entities/tag.ts';
import { searchTextOf } from '../../domain/lists/search.ts';
import { sql } from '../../store/sql.ts';
import { type Batch, rejected } from '../records/batch.ts';
import { identityOf, kindOf } from '../records/entity-definition.ts';
import { AMBIGUOUS, type Identity, recordsByKey } from '../records/external-id.ts';
import { defineRecords } from '../records/import-resource.ts';
import { changedColumns, type Row } from '../records/resource-definition.ts';

/** A tag is found by its slug too, or by its name in any letter case. */
export const tagIdentity: Identity = {
  ...identityOf(tag),
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
    return named.map(({ id }) => ({ key, id }));
  });
}

/** The slug of a tag that a file gives none: its name in lower case, hyphens for what is no letter or digit. */
function slugOf(name: string): string {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').normalize('NFC').toLowerCase();
  return plain.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-+|-+$/g, '') || plain;
}

/** Tags in bulk: of every source and privacy, because this is not the API but who owns the data. */
export const importTags = defineRecords(
  kindOf(tag, {
    identity: tagIdentity,
    keyOf: ({ slug, name }) => (slug ?? (typeof name === 'string' ? slugOf(name) : undefined)) as string | undefined,
    keyField: 'slug',
    takenCode: 'invalid_request',
    derive: ({ name, slug }) => ({
      search_text: searchTextOf(String(name)),
      slug: slug ?? slugOf(String(name)),
    }),
    check: rejectTakenSlugs,
  }),
);

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
