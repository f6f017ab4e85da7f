import { tag } from '../../domain/entities/tag.ts';
import { searchTextOf } from '../../domain/values/search-text.ts';
import { normalizeText } from '../../domain/values/text.ts';
import { sql } from '../../store/sql.ts';
import type { Batch } from '../records/batch.ts';
import { importResourceFor, matcherFor } from '../records/entity-resource.ts';
import { byName, type Matcher, recordsByKey } from '../records/references.ts';
import { changedColumns, type Row } from '../records/resource.ts';
import type { Values } from '../records/row.ts';

const bySlug = { normalize: normalizeText, find: findBySlug };

/** Finds tags by external id, id, slug, or name ignoring letter case. */
export const tagMatcher: Matcher = { ...matcherFor(tag), key: { ...bySlug, fallback: byName('tag') } };

/**
 * Finds tags by external id, id or slug. Rows do not match by name: the slug of a row can be the name of another tag, which
 * the row would then overwrite.
 */
const slugMatcher: Matcher = { ...matcherFor(tag), key: bySlug };

async function findBySlug({ query, organization }: Batch, slugs: readonly string[]) {
  return query<{ key: string; id: string }>(sql`
    SELECT slug AS key, id FROM tag WHERE organization_id = ${organization.id} AND slug = ANY(${[...slugs]}::text[])`);
}

/**
 * Returns the slug of a tag, by default its name in lower case without diacritics, in which a hyphen replaces each sequence
 * of characters that are not letters or digits. A name without letters and digits is its own slug.
 */
function slugOf({ slug, name }: Values): string | undefined {
  if (typeof slug === 'string') return slug;
  if (typeof name !== 'string') return undefined;
  const base = name.normalize('NFKD').replace(/\p{M}/gu, '').normalize('NFC').toLowerCase();
  return base.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-+|-+$/g, '') || base;
}

/** Imports tags of every source and privacy, because operators, unlike API callers, may manage all tags. */
export const importTags = importResourceFor(tag, {
  matcher: slugMatcher,
  keyOf: slugOf,
  keyField: 'slug',
  hasUniqueKeys: true,
  derive: (values) => ({ search_text: searchTextOf(String(values.name)), slug: slugOf(values) }),
  check: rejectSlugConflicts,
});

/** Rejects updates to the slug of another tag: slugs are unique in an organization. */
async function rejectSlugConflicts(batch: Batch, _: readonly Row[], changes: readonly Row[]): Promise<void> {
  const slugChanges = changes.filter((row) => changedColumns({ columns: { slug: 'text' } }, row).length > 0);
  const slugs = slugChanges.map(({ after }) => String(after?.slug));
  const found = await recordsByKey(batch, slugMatcher, slugs);
  for (const row of slugChanges) {
    const owner = found.get(String(row.after?.slug));
    if (owner === undefined || owner === row.id) continue;
    row.problems.push({ field: 'slug', message: 'belongs to another tag' });
  }
}
