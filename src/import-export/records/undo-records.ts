import type { Batch, KeptValue, StoredBatch, UndoneBatch } from './batch.ts';
import type { Change, ResourceDefinition } from './resource-definition.ts';
import { restoreRecords } from './restore-records.ts';
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
import { auditRecords } from './write.ts';

/** A row of another table that belongs to a record. */
interface RelatedChange extends Change {
  /** The id of the record. */
  readonly owner: string;
  /** The field that the row is part of. */
  readonly field: string;
}

/** Undoes what a batch changed in records, except what others changed or refer to since. */
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
  await auditRecords(
    batch,
    'undoImport',
    [...changed],
    [...changed].map(() => stored.runId),
  );
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
