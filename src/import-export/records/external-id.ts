import { type FieldError, quote } from '../../domain/core/errors.ts';
import { searchTextOf } from '../../domain/values/search-text.ts';
import { raw, type Sql, sql } from '../../store/sql.ts';
import type { Batch, ResourceName } from './batch.ts';
import type { RecordIndex } from './dry-run-state.ts';
import { hasIntegerIds } from './integer-ids.ts';

/** Marks a key that several records share. */
export const AMBIGUOUS = Symbol('several records have this key');

/** How references to the records of a table are resolved. */
export interface Matcher {
  readonly resource: ResourceName;
  readonly table: string;
  /** What to do about a reference that matches no record. */
  readonly advice?: string;
  /** Returns the record id for a reference that has the format of one; undefined for others. */
  idOf(organizationId: string, reference: string): string | undefined;
  /** A natural key, such as an email address or a name. */
  readonly key?: KeyMatcher;
}

/** How records are found by a natural key. */
interface KeyMatcher {
  /** Returns the form of a key by which keys are compared. */
  normalize(reference: string): string;
  find(batch: Batch, keys: readonly string[]): Promise<{ key: string; id: string }[]>;
  /** What `find` compares with the keys, for the records of a dry run. */
  readonly index: RecordIndex;
  /** How records are found if none has the key. */
  readonly fallback?: KeyMatcher;
}

/** Matches the records of a table by name or title, case-insensitively. */
export function byName(table: string): KeyMatcher {
  return {
    normalize: (reference) => searchTextOf(reference),
    index: 'name',
    find: ({ query, organization }, keys) =>
      query(sql`
        SELECT search_text AS key, id::text AS id FROM ${raw(table)}
        WHERE organization_id = ${organization.id} AND search_text = ANY(${[...keys]}::text[])`),
  };
}

/** The links between external ids and records of a resource, filtered by one of the two. */
async function findLinks(
  { query, organization }: Batch,
  resource: string,
  column: 'external_id' | 'record_id',
  values: readonly string[],
): Promise<{ external_id: string; record_id: string }[]> {
  if (values.length === 0) return [];
  return query(sql`
    SELECT external_id, record_id FROM external_id
    WHERE organization_id = ${organization.id} AND resource = ${resource}
      AND ${raw(column)} = ANY(${[...values]}::text[])`);
}

/** Maps external ids to the ids of their records. */
async function recordsByExternalId(
  batch: Batch,
  resource: string,
  externalIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await findLinks(batch, resource, 'external_id', externalIds);
  const found = new Map(rows.map(({ external_id, record_id }) => [external_id, record_id]));
  for (const externalId of externalIds) {
    const dryRunId = batch.dryRun?.byExternalId(resource, externalId);
    if (dryRunId !== undefined) found.set(externalId, dryRunId);
  }
  return found;
}

/** Maps the ids of records to their external ids. */
export async function externalIdsOf(
  batch: Batch,
  resource: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = await findLinks(batch, resource, 'record_id', ids);
  const found = new Map(rows.map(({ external_id, record_id }) => [record_id, external_id]));
  for (const id of ids) {
    const dryRunId = batch.dryRun?.externalIdOf(resource, id);
    if (dryRunId !== undefined) found.set(id, dryRunId);
  }
  return found;
}

/** Returns those ids that belong to records of the organization. */
async function findExistingIds(batch: Batch, matcher: Matcher, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await batch.query<{ id: string }>(sql`
    SELECT t.id::text AS id FROM ${raw(matcher.table)} t
    WHERE t.organization_id = ${batch.organization.id} AND ${hasIdIn(matcher.table, ids)}`);
  const found = new Set(rows.map(({ id }) => id));
  for (const id of ids) if (batch.dryRun?.has(matcher.resource, id)) found.add(id);
  return found;
}

/** Maps references to the ids of records. Each reference is looked up as an external id, then as a record id. */
export async function recordsByAnyId(
  batch: Batch,
  matcher: Matcher,
  references: readonly string[],
): Promise<Map<string, string>> {
  const distinct = [...new Set(references)];
  const found = await recordsByExternalId(batch, matcher.resource, distinct);
  const idByReference = new Map<string, string>();
  for (const reference of distinct) {
    const id = found.has(reference) ? undefined : matcher.idOf(batch.organization.id, reference);
    if (id !== undefined) idByReference.set(reference, id);
  }
  const existingIds = await findExistingIds(batch, matcher, [...idByReference.values()]);
  for (const [reference, id] of idByReference) if (existingIds.has(id)) found.set(reference, id);
  return found;
}

/** Maps keys to the ids of records, or to {@link AMBIGUOUS} if several records share the key. */
export async function recordsByKey(
  batch: Batch,
  { resource, key: matcher }: Matcher,
  keys: readonly string[],
): Promise<Map<string, string | typeof AMBIGUOUS>> {
  return matcher ? findByKey(batch, resource, matcher, keys) : new Map();
}

async function findByKey(
  batch: Batch,
  resource: ResourceName,
  { find, index, fallback }: KeyMatcher,
  keys: readonly string[],
): Promise<Map<string, string | typeof AMBIGUOUS>> {
  if (keys.length === 0) return new Map();
  const ids = new Map(keys.map((key) => [key, new Set<string>()]));
  for (const { key, id } of await find(batch, keys)) {
    const current = batch.dryRun?.textOf(resource, index, id) ?? key;
    if (current === key) ids.get(key)?.add(id);
  }
  const found = new Map<string, string | typeof AMBIGUOUS>();
  for (const [key, matches] of ids) {
    for (const id of batch.dryRun?.find(resource, index, key) ?? []) matches.add(id);
    const [id] = matches;
    if (id !== undefined) found.set(key, matches.size > 1 ? AMBIGUOUS : id);
  }
  if (!fallback) return found;
  const others = keys.filter((key) => !found.has(key)).map((key) => [key, fallback.normalize(key)] as const);
  const byFallback = await findByKey(batch, resource, fallback, [...new Set(others.map(([, other]) => other))]);
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
    const id = byId.get(reference) ?? byKey.get(normalize(reference));
    if (typeof id === 'string') return id;
    const { table, advice = 'import it first' } = matcher;
    const message =
      id === AMBIGUOUS
        ? `several ${table} records match ${quote(reference)}; use the external_id`
        : `unknown ${table}: ${quote(reference)}; ${advice}`;
    return { field, message };
  };
}

/** Stores the external ids of records. */
export async function linkExternalIds(
  batch: Batch,
  resource: string,
  links: readonly { readonly id: string; readonly externalId: string }[],
): Promise<void> {
  if (links.length === 0) return;
  await batch.query(sql`
    INSERT INTO external_id (organization_id, resource, external_id, record_id)
    SELECT ${batch.organization.id}, ${resource}, s.external_id, s.record_id
    FROM unnest(${links.map(({ externalId }) => externalId)}::text[], ${links.map(({ id }) => id)}::text[])
      AS s (external_id, record_id)`);
}

/** The condition that a row `t` of a table has one of these ids. */
export function hasIdIn(table: string, ids: readonly string[]): Sql {
  const type = idTypeOf(table);
  // Dry runs give new forms ids that are not numbers.
  const possible = type === 'int' ? ids.filter((id) => /^\d+$/.test(id)) : [...ids];
  return sql`t.id = ANY(${possible}::${raw(type)}[])`;
}

/** An id as a value of JSON; null for none. */
export function idValue(table: string, id: string | undefined): string | number | null {
  if (id === undefined) return null;
  // Dry runs give new forms ids that are not numbers.
  return idTypeOf(table) === 'int' && /^\d+$/.test(id) ? Number(id) : id;
}

/** The type of a table's ids. */
export function idTypeOf(table: string): 'int' | 'text' {
  return hasIntegerIds(table) ? 'int' : 'text';
}

/** The external id of a record in exports; if it has none, the reference that identifies it, by default its id. */
export function externalIdSql(resource: ResourceName, organizationId: string, id: Sql, fallback: Sql = id): Sql {
  return sql`coalesce((
    SELECT x.external_id FROM external_id x
    WHERE x.organization_id = ${organizationId} AND x.resource = ${resource} AND x.record_id = ${id}::text), ${fallback})`;
}

/**
 * The SQL of a readable reference to a record, such as a slug. If another record uses that reference as its external id,
 * the record's own external id is exported instead.
 */
export function referenceSql(resource: ResourceName, organizationId: string, id: Sql, reference: Sql): Sql {
  return sql`CASE WHEN EXISTS (
      SELECT 1 FROM external_id other
      WHERE other.organization_id = ${organizationId} AND other.resource = ${resource}
        AND other.external_id = ${reference} AND other.record_id <> ${id}
    ) THEN ${externalIdSql(resource, organizationId, id)} ELSE ${reference} END`;
}
