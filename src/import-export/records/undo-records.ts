import { isJsonEqual } from '../files/json.ts';
import { auditRecords, type Batch, existingIds, updateRecords } from './batch.ts';
import type { Change, KeptValue, ResourceDefinition, Row, StoredBatch, UndoneBatch } from './resource.ts';
import type { Values } from './row.ts';
import {
  CHANGED,
  changedColumns,
  deleteInserted,
  endUndo,
  fieldOf,
  findReferences,
  isUnchanged,
  readChanges,
  unchangedLinks,
} from './undo-changes.ts';

/** A row of another table that belongs to a record. */
interface RelatedChange extends Change {
  /** The id of the record. */
  readonly owner: string;
  /** The field that the row is part of. */
  readonly field: string;
}

/**
 * Undoes what a batch changed in records, except what others changed or refer to since:
 *
 * 1. Finds the created records that stay, because others changed or refer to them.
 * 2. Undoes the changes of related rows, except those of records that stay.
 * 3. Deletes the other created records.
 * 4. Returns updated records to their old values.
 * 5. Audits what it changed, and stores what stays.
 */
export async function undoRecords(
  definition: ResourceDefinition,
  batch: Batch,
  stored: StoredBatch,
): Promise<UndoneBatch> {
  const { name: resource, matcher, relatedTables = [] } = definition;
  const { table } = matcher;
  const readRelated = async (name: string, owner: string, field: string): Promise<RelatedChange[]> => {
    const changes = relatedTables.includes(name) ? await readChanges(batch, stored, name) : [];
    return changes.map((change) => ({ ...change, owner: String(change.after[owner]), field }));
  };
  const records = await readChanges(batch, stored, table);
  const tags = await readRelated('member_tag', 'member_id', 'tags');
  const fields = await readRelated('form_field', 'form_id', 'fields');
  const externalIds = (await readChanges(batch, stored, 'external_id')).map((change): RelatedChange => {
    // The external ids of form fields belong to these.
    const field = change.after.resource === resource ? 'external_id' : 'fields';
    return { ...change, owner: String(change.after.record_id), field };
  });
  await definition.lock?.(batch, records);
  const kept: KeptValue[] = [];

  const inserted = records.filter(({ before, current }) => !before && current);
  const ids = externalIds.filter(({ field }) => field === 'external_id');
  kept.push(...(await findStaying(definition, batch, stored, inserted, [...tags, ...fields, ...ids])));
  const staying = new Set(kept.map(({ key }) => key));
  const isUndone = ({ owner }: RelatedChange) => !staying.has(owner);

  kept.push(...((await definition.undoFields?.(batch, fields.filter(isUndone))) ?? []));
  const stayingFields = new Set(kept.flatMap(({ table, key }) => (table === 'form_field' ? key : [])));
  for (const field of fields) if (!isUndone(field)) stayingFields.add(field.key);
  const unusedIds = externalIds.filter(
    ({ owner, field }) => !(field === 'fields' ? stayingFields : staying).has(owner),
  );
  const removedTags = unchangedLinks('member_tag', 'tags', tags.filter(isUndone), kept);
  const removedIds = unchangedLinks('external_id', 'external_id', unusedIds, kept);
  await deleteInserted(batch, stored, 'member_tag', removedTags);
  await deleteInserted(batch, stored, 'external_id', removedIds);
  const removed = inserted.filter(({ key }) => !staying.has(key));
  if (definition.remove) await definition.remove(batch, removed.map(keyOf));
  else await deleteInserted(batch, stored, table, removed);

  const incomplete = new Set(fields.filter(({ key }) => stayingFields.has(key)).map(({ owner }) => owner));
  const restored = await restoreRecords(definition, batch, stored, { records, incomplete, kept });
  const changed = new Set([...removed.map(keyOf), ...restored, ...removedTags.map(({ owner }) => owner)]);
  await auditRecords(batch, 'undoImport', [...changed], stored.runId);
  await endUndo(batch, stored, kept);
  return {
    removed: removed.length,
    restored: restored.length,
    tags_removed: removedTags.length,
    external_ids_removed: removedIds.length,
    kept,
  };
}

function keyOf({ key }: Change): string {
  return key;
}

/** Why created records stay: others changed or refer to them since. */
async function findStaying(
  definition: ResourceDefinition,
  batch: Batch,
  stored: StoredBatch,
  inserted: readonly Change[],
  related: readonly RelatedChange[],
): Promise<KeptValue[]> {
  const { name: resource, matcher } = definition;
  const { table } = matcher;
  const keys = new Set(inserted.map(keyOf));
  const references = await findReferences(batch, stored, { resource, table }, [...keys]);
  const changes = inserted.flatMap((change) =>
    changedColumns(change.after, change.current).map((name) => [change.key, fieldOf(definition, name)] as const),
  );
  const relatedChanges = related
    .filter((change) => keys.has(change.owner) && !isUnchanged(change))
    .map(({ owner, field }) => [owner, field] as const);
  return [
    ...[...changes, ...relatedChanges].map(([key, field]) => ({ table, key, field, reason: CHANGED })),
    ...[...references].map(([key, reason]) => ({ table, key, field: null, reason })),
  ];
}

const TAKEN = 'belongs to somebody else now';
const MISSING = 'was removed since';

interface Updates {
  /** What the batch changed. */
  readonly records: readonly Change[];
  /** The ids of records with related rows that stay. */
  readonly incomplete: ReadonlySet<string>;
  /** Receives the values that stay. */
  readonly kept: KeptValue[];
}

/** A record that a batch updated, and its row with the values that it had before. */
interface Restoration {
  readonly change: Change & { readonly before: Values; readonly current: Values };
  /** The columns that the batch changed. */
  readonly changed: readonly string[];
  readonly row: Row;
}

/**
 * Returns the records that a batch updated to their old values, except those fields that others changed since.
 *
 * @returns the ids of the records that this changes.
 */
async function restoreRecords(
  definition: ResourceDefinition,
  batch: Batch,
  stored: StoredBatch,
  updates: Updates,
): Promise<string[]> {
  const restorations = restorationsOf(definition, stored, updates);
  await giveUpValues(definition, batch, restorations, updates.kept);
  return writeRestorations(definition, batch, restorations, updates.incomplete);
}

/** The records that a batch updated, each with the old values of those fields that nobody has changed since. */
function restorationsOf(
  definition: ResourceDefinition,
  stored: StoredBatch,
  { records, kept }: Updates,
): Restoration[] {
  const { table } = definition.matcher;
  const keep = (key: string, field: string | null, reason: string) => kept.push({ table, key, field, reason });
  const updates = records.flatMap(({ before, current, ...change }) => {
    if (before && !current) keep(change.key, null, MISSING);
    return before && current ? { ...change, before, current } : [];
  });
  return updates.map((change) => {
    const { key, before, after, current } = change;
    const earlier = stored.keptFields(table, key);
    const changed = changedColumns(before, after);
    const values: Record<string, unknown> = {};
    for (const column of changed) {
      const field = fieldOf(definition, column);
      if (isJsonEqual(current[column], after[column]) && !earlier.includes(field)) values[column] = before[column];
      else if (!earlier.includes(field)) keep(key, field, CHANGED);
    }
    return { change, changed, row: rowOf(key, current, values) };
  });
}

/**
 * Removes old values that cannot return: because an inseparable value stays, or because the record that they refer to, or
 * the place that they took, is not there any more.
 */
async function giveUpValues(
  definition: ResourceDefinition,
  batch: Batch,
  restorations: readonly Restoration[],
  kept: KeptValue[],
): Promise<void> {
  const { matcher, inseparable = [] } = definition;
  const rows = restorations.map(({ row }) => row);
  /** Keeps the current value of a column, and of those that are inseparable from it. */
  const giveUp = (row: Row, column: string, reason: string) => {
    kept.push({ table: matcher.table, key: row.id as string, field: fieldOf(definition, column), reason });
    for (const name of inseparable.includes(column) ? inseparable : [column]) {
      delete row.values[name];
      Object.assign(row.after ?? {}, { [name]: row.before?.[name] });
    }
  };
  for (const { row, changed } of restorations) {
    const stays = changed.find((column) => inseparable.includes(column) && !(column in row.values));
    if (stays !== undefined && inseparable.some((column) => column in row.values)) giveUp(row, stays, CHANGED);
  }
  for (const { matcher: target, column } of Object.values(definition.references ?? {})) {
    if (!column) continue;
    const referring = rows.filter(({ values }) => values[column] != null);
    const ids = referring.map(({ values }) => String(values[column]));
    const found = await existingIds(batch, target.table, ids);
    for (const row of referring) if (!found.has(String(row.values[column]))) giveUp(row, column, MISSING);
  }
  await definition.check?.(batch, [], rows);
  for (const row of rows) {
    for (const { field } of row.problems) giveUp(row, field, TAKEN);
    if (row.address === 'kept') giveUp(row, 'email_address', TAKEN);
  }
}

/** Writes the rows that still have old values; a record that is as before the import has its old `updated_at` too. */
async function writeRestorations(
  definition: ResourceDefinition,
  batch: Batch,
  restorations: readonly Restoration[],
  incomplete: Updates['incomplete'],
): Promise<string[]> {
  const { matcher, columns, derived, derive, timestamps } = definition;
  const { table } = matcher;
  const isComplete = ({ change, changed, row }: Restoration) =>
    isUnchanged(change) && changed.every((column) => column in row.values) && !incomplete.has(change.key);
  const whole = restorations.filter(isComplete);
  const parts = restorations.filter((one) => !isComplete(one) && Object.keys(one.row.values).length > 0);
  const written = [...whole, ...parts].map(({ row }) => row);
  await definition.beforeUpdate?.(batch, written);
  const hasUpdatedAt = timestamps.includes('updated_at');
  const storedColumns = { ...columns, ...derived };
  const storedRow = ({ row: { id, after = {} } }: Restoration) => ({
    id: id as string,
    values: { ...after, ...derive?.(after) },
  });
  const wholeRows = whole.map((one) => {
    const { id, values } = storedRow(one);
    return { id, values: { ...values, updated_at: one.change.before.updated_at } };
  });
  const withTime = hasUpdatedAt ? { ...storedColumns, updated_at: 'timestamptz' as const } : storedColumns;
  await updateRecords(batch, table, withTime, false, wholeRows);
  await updateRecords(batch, table, storedColumns, hasUpdatedAt, parts.map(storedRow));
  await definition.afterUpdate?.(batch, written);
  return written.map(({ id }) => id as string);
}

/** A row that gives a record other values. */
function rowOf(id: string, before: Record<string, unknown>, values: Record<string, unknown>): Row {
  const common = { line: 0, parsed: { input: values }, input: values, externalId: undefined, key: undefined };
  return { ...common, id, before, values, after: { ...before, ...values }, problems: [], references: {} };
}
