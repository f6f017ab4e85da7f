import type { FieldError } from '../../domain/core/errors.ts';
import { searchTextOf } from '../../domain/lists/search.ts';
import { type Batch, type ImportResource, LostRaceError, type Outcome, type ParsedRow, rejected } from './batch.ts';
import type { DryRunRecord } from './dry-run-state.ts';
import { idValue, linkExternalIds, resolveReferences } from './external-id.ts';
import { matchRows } from './match-rows.ts';
import { changedColumns, type ResourceDefinition, type Row } from './resource-definition.ts';
import { auditRecords, insertRecords, lockRecords, type StoredRow, updateRecords, type Values } from './write.ts';

/** Creates the import and export of a resource whose records have ids. */
export function createImportResource(definition: ResourceDefinition): ImportResource {
  return {
    name: definition.name,
    tables: [definition.matcher.table, ...(definition.relatedTables ?? []), 'external_id'],
    fields: definition.fields,
    parse: definition.parse,
    exportSql: (organizationId) => definition.exportSql(organizationId),
    async store(batch, parsed) {
      const rows = parsed.map((parsedRow) => createRow(definition, parsedRow));
      const accepted = rows.filter((row) => !row.outcome);
      await resolveRows(definition, batch, accepted);
      await definition.convert?.(
        batch,
        accepted.filter((row) => !row.outcome),
      );
      for (let pending = accepted.filter((row) => !row.outcome); pending.length > 0; ) {
        pending = await storeDistinctRows(definition, batch, pending);
      }
      return rows.map(({ outcome }) => outcome as Outcome);
    },
  };
}

function createRow(definition: ResourceDefinition, { input, errors, missing }: ParsedRow): Row {
  const row: Row = {
    input,
    missing,
    externalId: input.external_id as string | undefined,
    key: errors ? undefined : definition.keyOf?.(input),
    values: {},
    references: {},
    id: undefined,
  };
  if (errors) row.outcome = rejected(...errors);
  return row;
}

/** Sets the columns of rows, with the ids of the records that they refer to; rejects rows with unknown references. */
async function resolveRows(definition: ResourceDefinition, batch: Batch, rows: readonly Row[]): Promise<void> {
  const { columns, timestamps, references = {} } = definition;
  const names = [...Object.keys(columns), ...timestamps];
  for (const { input, values } of rows) {
    for (const name of names) if (input[name] !== undefined) values[name] = input[name];
  }
  const errors = new Map<Row, FieldError[]>(rows.map((row) => [row, []]));
  for (const [field, { matcher, column }] of Object.entries(references)) {
    const referencesOf = ({ input }: Row) => [input[field] ?? []].flat() as string[];
    const resolve = await resolveReferences(batch, matcher, rows.flatMap(referencesOf));
    for (const row of rows) {
      const resolved = referencesOf(row).map((reference) => resolve(field, reference));
      const ids = resolved.filter((id) => typeof id === 'string');
      row.references[field] = ids;
      errors.get(row)?.push(...resolved.filter((error) => typeof error === 'object'));
      if (column && row.input[field] !== undefined) row.values[column] = idValue(matcher.table, ids[0]);
    }
  }
  for (const [row, found] of errors) if (found.length > 0) row.outcome = rejected(...found);
}

/** Stores rows for distinct records; returns further rows for the same records or keys in order, to be stored next. */
async function storeDistinctRows(definition: ResourceDefinition, batch: Batch, rows: readonly Row[]): Promise<Row[]> {
  const [distinct, repeated] = splitRepeated(rows);
  const pending = new Set(repeated);
  const unlinked = await matchRows(definition, batch, distinct);
  const records = new Set<string>();
  const matched: Row[] = [];
  for (const row of distinct) {
    if (row.outcome) continue;
    if (row.id !== undefined && records.has(row.id)) {
      pending.add(row);
      continue;
    }
    if (row.id !== undefined) records.add(row.id);
    matched.push(row);
  }
  await lockAndDiff(definition, batch, matched);
  for (const row of rowsOfReleasedKeys(definition, distinct)) pending.add(row);
  for (const row of pending) reset(row);
  const accepted = matched.filter((row) => !pending.has(row));
  const creations = accepted.filter((row) => !row.outcome && !row.before);
  const changes = accepted.filter((row) => !row.outcome && row.before);
  await assignIds(definition, batch, creations);
  await definition.check?.(batch, creations, changes);
  await write(
    definition,
    batch,
    accepted.filter((row) => !row.outcome),
    unlinked,
  );
  return rows.filter((row) => pending.has(row));
}

/** The rows with a key that the record of an earlier row gives up. */
function rowsOfReleasedKeys({ keyOf }: ResourceDefinition, rows: readonly Row[]): Row[] {
  const released = new Set<string | undefined>();
  return rows.filter(({ key, before, after }) => {
    const isReleased = key !== undefined && released.has(key);
    const keyBefore = before && keyOf?.(before);
    if (keyBefore !== undefined && keyBefore !== keyOf?.(after ?? {})) released.add(keyBefore);
    return isReleased;
  });
}

/** Reverts what was found out about a row, because rows that are stored first can change it. */
function reset(row: Row): void {
  row.id = undefined;
  row.before = undefined;
  row.outcome = undefined;
}

function splitRepeated(rows: readonly Row[]): [Row[], Row[]] {
  const seen = new Set<string>();
  const [first, repeated]: [Row[], Row[]] = [[], []];
  for (const row of rows) {
    const keys = [
      ...(row.externalId === undefined ? [] : [`external ${row.externalId}`]),
      ...(row.key === undefined ? [] : [`key ${row.key}`]),
    ];
    (keys.some((name) => seen.has(name)) ? repeated : first).push(row);
    for (const name of keys) seen.add(name);
  }
  return [first, repeated];
}

/** Locks the matched records and computes the new values of each row. */
async function lockAndDiff(definition: ResourceDefinition, batch: Batch, rows: readonly Row[]): Promise<void> {
  const ids = rows.flatMap(({ id }) => (id === undefined ? [] : [id]));
  const before = await lockRecords(batch, definition.matcher.table, definition.columns, ids);
  for (const row of rows) {
    row.before =
      row.id === undefined ? undefined : (batch.dryRun?.valuesOf(definition.name, row.id) ?? before.get(row.id));
    if (row.id !== undefined && !row.before) throw new LostRaceError();
    if (!row.before && row.missing) row.outcome = rejected(...row.missing);
    row.after = { ...(row.before ?? definition.defaults), ...row.values };
  }
}

async function assignIds(definition: ResourceDefinition, batch: Batch, creations: readonly Row[]): Promise<void> {
  const ids = creations.length === 0 ? [] : await definition.newIds(batch, creations.length);
  for (const [index, row] of creations.entries()) row.id = ids[index];
}

async function write(
  definition: ResourceDefinition,
  batch: Batch,
  rows: readonly Row[],
  unlinked: ReadonlySet<Row>,
): Promise<void> {
  const creations = rows.filter((row) => !row.before);
  const changes = rows.filter((row) => row.before && changedColumns(definition, row).length > 0);
  if (batch.dryRun) {
    for (const row of rows) batch.dryRun.add(definition.name, dryRunRecord(definition, row, unlinked.has(row)));
  } else {
    await writeColumns(definition, batch, creations, changes);
    const links = rows.filter((row) => unlinked.has(row));
    await linkExternalIds(
      batch,
      definition.name,
      links.map(({ id, externalId }) => ({ id: id as string, externalId: externalId as string })),
    );
  }
  const related = (await definition.storeRelated?.(batch, rows)) ?? new Set();
  const [created, changed] = [new Set(creations), new Set(changes)];
  const updated = rows.filter((row) => !created.has(row) && (changed.has(row) || related.has(row)));
  for (const row of rows) row.outcome = { result: 'unchanged' };
  for (const row of creations) row.outcome = { result: 'created' };
  for (const row of updated) row.outcome = { result: 'updated' };
  if (batch.dryRun) return;
  await auditRecords(batch, `create${definition.record}`, idsOf(creations));
  await auditRecords(batch, `update${definition.record}`, idsOf(updated));
}

/** The record as it would be stored, with null for columns that a new record does not set. */
function dryRunRecord(definition: ResourceDefinition, row: Row, isUnlinked: boolean): DryRunRecord {
  const stored = storedValues(definition, row);
  const values = Object.fromEntries(
    Object.entries(definition.columns).map(([column, type]) => [
      column,
      stored[column] ?? (type === 'text[]' ? [] : null),
    ]),
  );
  const name = stored.name ?? stored.title;
  return {
    id: row.id as string,
    externalId: isUnlinked ? row.externalId : undefined,
    key: definition.keyOf?.(values),
    name: typeof name === 'string' ? searchTextOf(name) : undefined,
    values,
  };
}

function storedValues({ derive }: ResourceDefinition, { after = {} }: Row): Values {
  return { ...after, ...derive?.(after) };
}

async function writeColumns(
  definition: ResourceDefinition,
  batch: Batch,
  creations: Row[],
  changes: Row[],
): Promise<void> {
  const columns = { ...definition.columns, ...definition.derived };
  const stored = (row: Row): StoredRow => ({ id: row.id as string, values: storedValues(definition, row) });
  const { matcher, timestamps } = definition;
  await (definition.insert
    ? definition.insert(batch, columns, timestamps, creations.map(stored))
    : insertRecords(batch, matcher.table, columns, timestamps, creations.map(stored)));
  await definition.beforeUpdate?.(batch, changes);
  const hasUpdatedAt = timestamps.includes('updated_at');
  const count = await updateRecords(batch, matcher.table, columns, hasUpdatedAt, changes.map(stored));
  if (count !== changes.length) throw new LostRaceError();
  await definition.afterUpdate?.(batch, changes);
}

function idsOf(rows: readonly Row[]): string[] {
  return rows.map(({ id }) => id as string);
}
