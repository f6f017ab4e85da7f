import type { FieldError } from '../../domain/core/errors.ts';
import { searchTextOf } from '../../domain/values/search-text.ts';
import { quote } from '../../domain/values/words.ts';
import { raw, type Sql, sql } from '../../store/sql.ts';
import { type Batch, existingIds } from './batch.ts';

/** Marks a key that several records share. */
export const AMBIGUOUS = Symbol('several records have this key');

/** How references to the records of a table are resolved. */
export interface Matcher {
  readonly resource: string;
  readonly table: string;
  /** What to do about a reference that matches no record. */
  readonly advice?: string;
  /** Returns the record id for a reference that has the format of one; undefined for others. */
  idOf(organizationId: string, reference: string): string | undefined;
  /** A natural key, such as an email address or a name. */
  readonly key?: KeyMatcher;
}

interface KeyMatcher {
  /** Returns the normalized key, by which keys are compared. */
  normalize(reference: string): string;
  find(batch: Batch, keys: readonly string[]): Promise<{ key: string; id: string }[]>;
  /** How records are found if none has the key. */
  readonly fallback?: KeyMatcher;
}

/** Matches the records of a table by name or title, case-insensitively. */
export function byName(table: string): KeyMatcher {
  return {
    normalize: (reference) => searchTextOf(reference),
    find: ({ query, organization }, keys) =>
      query(sql`
        SELECT search_text AS key, id::text AS id FROM ${raw(table)}
        WHERE organization_id = ${organization.id} AND search_text = ANY(${[...keys]}::text[])`),
  };
}

/** An identifier of a record in a source system. */
interface ExternalId {
  /** The name of the system; empty for ids without a namespace. */
  readonly source: string;
  readonly id: string;
}

/** `SOURCE:ID`, the notation of an id with a namespace in files that have no source of their own, as in exports. */
const WITH_SOURCE = /^([\p{L}\p{N}][\p{L}\p{N}_.-]{0,62}):(.+)$/su;

/** The external id that a reference in a file of this source names. */
export function externalIdFor(source: string, reference: string): ExternalId {
  const [, prefix, id] = (source === '' && WITH_SOURCE.exec(reference)) || [];
  return prefix === undefined || id === undefined ? { source, id: reference } : { source: prefix, id };
}

/** Maps external ids to the ids of their records. */
async function recordsByExternalId(
  { query, organization, source }: Batch,
  resource: string,
  references: readonly string[],
): Promise<Map<string, string>> {
  if (references.length === 0) return new Map();
  const ids = references.map((reference) => externalIdFor(source, reference));
  const rows = await query<{ reference: string; record_id: string }>(sql`
    SELECT s.reference, x.record_id
    FROM unnest(${[...references]}::text[], ${ids.map(({ source }) => source)}::text[], ${ids.map(({ id }) => id)}::text[])
      AS s (reference, source, id)
    JOIN external_id x ON x.organization_id = ${organization.id} AND x.resource = ${resource}
      AND x.source = s.source AND x.external_id = s.id`);
  return new Map(rows.map(({ reference, record_id }) => [reference, record_id]));
}

/** Maps the ids of records to their external ids of all sources, the first one first. */
export async function externalIdsOf(
  { query, organization }: Batch,
  resource: string,
  ids: readonly string[],
): Promise<Map<string, ExternalId[]>> {
  if (ids.length === 0) return new Map();
  const rows = await query<ExternalId & { readonly record_id: string }>(sql`
    SELECT record_id, source, external_id AS id FROM external_id
    WHERE organization_id = ${organization.id} AND resource = ${resource} AND record_id = ANY(${[...ids]}::text[])
    ORDER BY linked_at, source, external_id`);
  const found = new Map<string, ExternalId[]>();
  for (const { record_id, source, id } of rows) {
    found.set(record_id, [...(found.get(record_id) ?? []), { source, id }]);
  }
  return found;
}

/** The first of these external ids with the same source as a reference. */
export function idOfSameSource(batch: Batch, reference: string, ids: readonly ExternalId[] = []): string | undefined {
  const { source } = externalIdFor(batch.source, reference);
  return ids.find((other) => other.source === source)?.id;
}

/** The references by which rows of a file of this source can name a record with these external ids. */
export function referencesTo({ source }: Batch, ids: readonly ExternalId[]): string[] {
  if (source !== '') return ids.filter((id) => id.source === source).map(({ id }) => id);
  return ids.map(({ source: prefix, id }) => (prefix === '' ? id : `${prefix}:${id}`));
}

interface IdentifiedRecord {
  readonly id: string;
  readonly by: 'external_id' | 'id';
}

/** Maps references to records. Each reference is looked up as an external id, then as a record id. */
export async function recordsByAnyId(
  batch: Batch,
  matcher: Matcher,
  references: readonly string[],
): Promise<Map<string, IdentifiedRecord>> {
  const distinct = [...new Set(references)];
  const byExternalId = await recordsByExternalId(batch, matcher.resource, distinct);
  const found = new Map<string, IdentifiedRecord>();
  for (const [reference, id] of byExternalId) found.set(reference, { id, by: 'external_id' });
  const idByReference = new Map<string, string>();
  for (const reference of distinct) {
    const id = found.has(reference) ? undefined : matcher.idOf(batch.organization.id, reference);
    if (id !== undefined) idByReference.set(reference, id);
  }
  const existing = await existingIds(batch, matcher.table, [...idByReference.values()]);
  for (const [reference, id] of idByReference) if (existing.has(id)) found.set(reference, { id, by: 'id' });
  return found;
}

/** Maps keys to the ids of records, or to {@link AMBIGUOUS} if several records share the key. */
export async function recordsByKey(
  batch: Batch,
  { key: matcher }: Pick<Matcher, 'key'>,
  keys: readonly string[],
): Promise<Map<string, string | typeof AMBIGUOUS>> {
  if (!matcher || keys.length === 0) return new Map();
  const { find, fallback } = matcher;
  const found = new Map<string, string | typeof AMBIGUOUS>();
  for (const { key, id } of await find(batch, keys)) found.set(key, found.has(key) ? AMBIGUOUS : id);
  if (!fallback) return found;
  const others = keys.filter((key) => !found.has(key)).map((key) => [key, fallback.normalize(key)] as const);
  const byFallback = await recordsByKey(batch, { key: fallback }, [...new Set(others.map(([, other]) => other))]);
  for (const [key, other] of others) {
    const id = byFallback.get(other);
    if (id !== undefined) found.set(key, id);
  }
  return found;
}

/** Returns the id of the record that a field of a row refers to, or the error if there is no such record. */
type ResolveReference = (field: string, reference: string) => string | FieldError;

/** Resolves references by external id, record id or key, in this order. */
export async function resolveReferences(
  batch: Batch,
  matcher: Matcher,
  references: readonly string[],
): Promise<ResolveReference> {
  const byId = await recordsByAnyId(batch, matcher, references);
  const normalize = matcher.key?.normalize ?? ((reference: string) => reference);
  const unmatched = references.filter((reference) => !byId.has(reference));
  const byKey = await recordsByKey(batch, matcher, [...new Set(unmatched.map(normalize))]);
  return (field, reference) => {
    const id = byId.get(reference)?.id ?? byKey.get(normalize(reference));
    if (typeof id === 'string') return id;
    const { table, advice = 'import it first' } = matcher;
    const message =
      id === AMBIGUOUS
        ? `several ${table} records match ${quote(reference)}; use the external_id`
        : `unknown ${table}: ${quote(reference)}; ${advice}`;
    return { field, message };
  };
}

export interface ExternalIdLink {
  readonly id: string;
  readonly externalId: string;
}

/** Stores the external ids of records. */
export async function linkExternalIds(batch: Batch, resource: string, links: readonly ExternalIdLink[]): Promise<void> {
  if (links.length === 0) return;
  const ids = links.map(({ externalId }) => externalIdFor(batch.source, externalId));
  await batch.query(sql`
    INSERT INTO external_id (organization_id, resource, source, external_id, record_id)
    SELECT ${batch.organization.id}, ${resource}, s.source, s.external_id, s.record_id
    FROM unnest(${ids.map(({ source }) => source)}::text[], ${ids.map(({ id }) => id)}::text[],
      ${links.map(({ id }) => id)}::text[]) AS s (source, external_id, record_id)`);
}

/**
 * The external id of a record in exports: its first one, as in `17`, or `crm:17` for an id of the system `crm`. A record
 * without an external id is exported with `fallback`, by default its id.
 */
export function externalIdSql(resource: string, organizationId: string, id: Sql, fallback: Sql = id): Sql {
  const withSource = sql`CASE x.source WHEN '' THEN x.external_id ELSE x.source || ':' || x.external_id END`;
  return sql`coalesce(${firstExternalId(resource, organizationId, id, withSource)}, ${fallback})`;
}

/** A subquery for a column of the first external id of a record, by default the id itself. */
export function firstExternalId(resource: string, organizationId: string, id: Sql, column = sql`x.external_id`): Sql {
  return sql`(
    SELECT ${column} FROM external_id x
    WHERE x.organization_id = ${organizationId} AND x.resource = ${resource} AND x.record_id = ${id}::text
    ORDER BY x.linked_at, x.source, x.external_id LIMIT 1)`;
}

/**
 * The SQL of a readable reference to a record, such as a slug. If another record uses that reference as its external id,
 * the record's own external id is exported instead.
 */
export function referenceSql(resource: string, organizationId: string, id: Sql, reference: Sql): Sql {
  return sql`CASE WHEN EXISTS (
      SELECT 1 FROM external_id other
      WHERE other.organization_id = ${organizationId} AND other.resource = ${resource} AND other.source = ''
        AND other.external_id = ${reference} AND other.record_id <> ${id}
    ) THEN ${externalIdSql(resource, organizationId, id)} ELSE ${reference} END`;
}

/** What separates the items of a list in a CSV cell. */
export const LIST_SEPARATOR = /[,;|\r\n]/;

/** The maximum number of separators in a name. It bounds the number of names that are looked up for a cell. */
const MAX_SEPARATORS_IN_NAME = 3;

/** The texts in a list cell that can be names of records: its items, and sequences of items with their separators. */
export function namesIn(cell: string): string[] {
  const items = itemsOf(cell);
  return items.flatMap((item, first) =>
    items.slice(first, first + MAX_SEPARATORS_IN_NAME + 1).map((last) => textBetween(cell, item, last)),
  );
}

/** Splits a list cell at its separators, except at those within a name that a record has: the longest name is used. */
export function splitByNames(cell: string, isKnown: (name: string) => boolean): string[] {
  const items = itemsOf(cell);
  const names: string[] = [];
  for (let first = 0; first < items.length; ) {
    const item = items[first] as Item;
    const candidates = items.slice(first, first + MAX_SEPARATORS_IN_NAME + 1);
    const last = candidates.findLastIndex((end) => isKnown(textBetween(cell, item, end)));
    names.push(textBetween(cell, item, candidates[last] ?? item));
    first += Math.max(last, 0) + 1;
  }
  return names;
}

/** An item of a cell that is not blank. */
interface Item {
  readonly start: number;
  readonly end: number;
}

function itemsOf(cell: string): Item[] {
  const items: Item[] = [];
  let start = 0;
  for (const part of cell.split(LIST_SEPARATOR)) {
    if (part.trim() !== '') items.push({ start, end: start + part.length });
    start += part.length + 1;
  }
  return items;
}

function textBetween(cell: string, first: Item, last: Item): string {
  return cell.slice(first.start, last.end).trim();
}
