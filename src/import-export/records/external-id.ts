import { quoted } from '../../domain/core/errors.ts';
import { isId } from '../../domain/core/ids.ts';
import { searchTextOf } from '../../domain/lists/search.ts';
import { raw, type Sql, sql } from '../../store/sql.ts';
import type { Batch, ResourceName } from './batch.ts';

/** Stands for a name that several records have. */
export const AMBIGUOUS = Symbol('several records have this name');

/** What records of a kind are found by. */
export interface Identity {
  readonly name: ResourceName;
  readonly table: string;
  /** The id that a name is, if it has the shape of one that this organization gave. */
  ownId(organizationId: string, name: string): string | undefined;
  /** Finds records by what people call them: an address, a name. */
  readonly key?: {
    /** The form in which keys are compared. */
    of(written: string): string;
    find(batch: Batch, keys: readonly string[]): Promise<{ key: string; id: string }[]>;
  };
}

/** Takes a name for a record's own id where it has this prefix and the shape of one. */
export function ownIdsWith(prefix: string): Identity['ownId'] {
  return (_, name) => (isId(prefix, name) ? name : undefined);
}

/** Finds the records of a table by their names or titles, in any letter case. */
export function byName(table: string): NonNullable<Identity['key']> {
  return {
    of: (name) => searchTextOf(name),
    find: ({ rows, organization }, keys) =>
      rows(sql`
        SELECT search_text AS key, id::text AS id FROM ${raw(table)}
        WHERE organization_id = ${organization.id} AND search_text = ANY(${[...keys]}::text[])`),
  };
}

/** The external ids of a kind's records, and whose they are: those that have one of some values in a column. */
async function linksBy(
  { rows, organization }: Batch,
  resource: string,
  column: 'external_id' | 'record_id',
  values: readonly string[],
): Promise<{ external_id: string; record_id: string }[]> {
  if (values.length === 0) return [];
  return rows(sql`
    SELECT external_id, record_id FROM external_id
    WHERE organization_id = ${organization.id} AND resource = ${resource}
      AND ${raw(column)} = ANY(${[...values]}::text[])`);
}

/** The records that have external ids: id by external id. */
export async function recordsByExternalId(
  batch: Batch,
  resource: string,
  externalIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await linksBy(batch, resource, 'external_id', externalIds);
  const found = new Map(rows.map(({ external_id, record_id }) => [external_id, record_id]));
  for (const externalId of externalIds) {
    const planned = batch.planned?.byExternalId(resource, externalId);
    if (planned !== undefined) found.set(externalId, planned);
  }
  return found;
}

/** The external ids that records have: external id by id. */
export async function externalIdsOf(
  batch: Batch,
  resource: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = await linksBy(batch, resource, 'record_id', ids);
  const found = new Map(rows.map(({ external_id, record_id }) => [record_id, external_id]));
  for (const id of ids) {
    const planned = batch.planned?.externalIdOf(resource, id);
    if (planned !== undefined) found.set(id, planned);
  }
  return found;
}

/** Which of some ids this organization has records of. */
export async function existing(batch: Batch, identity: Identity, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await batch.rows<{ id: string }>(sql`
    SELECT t.id::text AS id FROM ${raw(identity.table)} t
    WHERE t.organization_id = ${batch.organization.id} AND ${isOneOf(identity.table, ids)}`);
  const found = new Set(rows.map(({ id }) => id));
  for (const id of ids) if (batch.planned?.has(identity.name, id)) found.add(id);
  return found;
}

/** The records that keys name: id by key; several with one key are {@link AMBIGUOUS}. */
export async function recordsByKey(
  batch: Batch,
  identity: Identity,
  keys: readonly string[],
): Promise<Map<string, string | typeof AMBIGUOUS>> {
  const found = new Map<string, string | typeof AMBIGUOUS>();
  if (!identity.key || keys.length === 0) return found;
  for (const { key, id } of await identity.key.find(batch, keys)) {
    found.set(key, found.has(key) ? AMBIGUOUS : id);
  }
  for (const key of keys) {
    const planned = batch.planned?.byKey(identity.name, key) ?? batch.planned?.byKey(identity.name, searchTextOf(key));
    if (planned !== undefined && !found.has(key)) found.set(key, planned);
  }
  return found;
}

/** The records that rows refer to by external id, by id or by key, in this order: id by what was written. */
export async function resolveNames(
  batch: Batch,
  identity: Identity,
  written: readonly string[],
): Promise<Map<string, string | typeof AMBIGUOUS>> {
  const names = [...new Set(written)];
  const found = new Map<string, string | typeof AMBIGUOUS>(await recordsByExternalId(batch, identity.name, names));
  const own = new Map<string, string>();
  for (const name of names) {
    const id = found.has(name) ? undefined : identity.ownId(batch.organization.id, name);
    if (id !== undefined) own.set(name, id);
  }
  const present = await existing(batch, identity, [...own.values()]);
  for (const [name, id] of own) if (present.has(id)) found.set(name, id);
  const key = identity.key;
  if (!key) return found;
  const open = names.filter((name) => !found.has(name));
  const byKey = await recordsByKey(batch, identity, [...new Set(open.map((name) => key.of(name)))]);
  for (const name of open) {
    const id = byKey.get(key.of(name));
    if (id !== undefined) found.set(name, id);
  }
  return found;
}

/** Why a name leads to no record. */
export function unresolved(record: string, name: string, found: string | symbol | undefined): string {
  const written = quoted(name);
  if (found === AMBIGUOUS) return `several records of kind ${record} are called ${written}; name it by its external_id`;
  return `unknown ${record}: ${written}; import it first`;
}

/** Remembers the external ids of records. */
export async function linkExternalIds(
  batch: Batch,
  resource: string,
  links: readonly { readonly id: string; readonly externalId: string }[],
): Promise<void> {
  if (links.length === 0) return;
  await batch.rows(sql`
    INSERT INTO external_id (organization_id, resource, external_id, record_id)
    SELECT ${batch.organization.id}, ${resource}, s.external_id, s.record_id
    FROM unnest(${links.map(({ externalId }) => externalId)}::text[], ${links.map(({ id }) => id)}::text[])
      AS s (external_id, record_id)`);
}

/** The condition that a row `t` of a table has one of some ids. */
export function isOneOf(table: string, ids: readonly string[]): Sql {
  const type = idTypeOf(table);
  // The id that a trial gives a form is no number.
  const possible = type === 'int' ? ids.filter((id) => /^\d+$/.test(id)) : [...ids];
  return sql`t.id = ANY(${possible}::${raw(type)}[])`;
}

/** The type of a table's ids. */
export function idTypeOf(table: string): 'int' | 'text' {
  return table === 'form' || table === 'form_field' ? 'int' : 'text';
}

/** The external id of a record of a table as it is exported: its own id where it has none. */
export function exportedId(resource: ResourceName, organizationId: string, id: Sql, own: Sql = id): Sql {
  return sql`coalesce((
    SELECT x.external_id FROM external_id x
    WHERE x.organization_id = ${organizationId} AND x.resource = ${resource} AND x.record_id = ${id}::text), ${own})`;
}
