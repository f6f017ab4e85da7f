import { type Batch, LostRaceError } from './batch.ts';
import { type ExternalIdLink, linkExternalIds } from './external-id.ts';
import { matchRows } from './match-rows.ts';
import { changedColumns, type ResourceDefinition, type Row } from './resource-definition.ts';
import { compareWithRecords, isStorable } from './select-rows.ts';
import { auditRecords, insertRecords, type StoredRow, updateRecords, type Values } from './write.ts';

/**
 * Stores selected rows, unless they conflict with other records, and sets their outcomes.
 *
 * @throws {LostRaceError} when a concurrent write changed the same records.
 */
export async function storeAccepted(
  definition: ResourceDefinition,
  batch: Batch,
  accepted: readonly Row[],
): Promise<void> {
  await assignIds(definition, batch, accepted.filter(isNew));
  await check(definition, batch, accepted);
  const rows = accepted.filter(isStorable);
  const updates = rows.filter((row) => !isNew(row) && changedColumns(definition, row).length > 0);
  await writeRecords(definition, batch, rows.filter(isNew), updates);
  const links = rows.filter(hasNewExternalId).map(({ id, externalId }) => ({ id, externalId }) as ExternalIdLink);
  await linkExternalIds(batch, definition.name, links);
  const related = (await definition.storeRelated?.(batch, rows)) ?? new Set();
  setOutcomes(definition, rows, new Set([...updates, ...related]));
  await auditRows(definition, batch, rows);
}

/** Adds to rows that are rejected anyway the problems that depend on stored records. */
export async function explainRejected(
  definition: ResourceDefinition,
  batch: Batch,
  rows: readonly Row[],
): Promise<void> {
  if (rows.length === 0) return;
  await matchRows(definition, batch, rows);
  await compareWithRecords(definition, batch, rows);
  await check(definition, batch, rows);
}

async function check(definition: ResourceDefinition, batch: Batch, rows: readonly Row[]): Promise<void> {
  const [creations, matches] = [rows.filter(isNew), rows.filter((row) => !isNew(row))];
  await definition.check?.(batch, creations, matches);
}

async function assignIds(definition: ResourceDefinition, batch: Batch, creations: readonly Row[]): Promise<void> {
  const ids = creations.length === 0 ? [] : await definition.newIds(batch, creations.length);
  for (const [index, row] of creations.entries()) row.id = ids[index];
}

function isNew({ before }: Row): boolean {
  return before === undefined;
}

/** Whether the external id of a row must be linked to its record. */
function hasNewExternalId({ externalId, match }: Row): boolean {
  return externalId !== undefined && (match === undefined || match.by === 'key');
}

function storedValues({ derive }: ResourceDefinition, { after = {} }: Row): Values {
  return { ...after, ...derive?.(after) };
}

async function writeRecords(
  definition: ResourceDefinition,
  batch: Batch,
  creations: readonly Row[],
  updates: readonly Row[],
): Promise<void> {
  const columns = { ...definition.columns, ...definition.derived };
  const stored = (row: Row): StoredRow => ({ id: row.id as string, values: storedValues(definition, row) });
  const { matcher, timestamps } = definition;
  await (definition.insert
    ? definition.insert(batch, columns, timestamps, creations.map(stored))
    : insertRecords(batch, matcher.table, columns, timestamps, creations.map(stored)));
  await definition.beforeUpdate?.(batch, updates);
  const hasUpdatedAt = timestamps.includes('updated_at');
  const count = await updateRecords(batch, matcher.table, columns, hasUpdatedAt, updates.map(stored));
  if (count !== updates.length) throw new LostRaceError();
  await definition.afterUpdate?.(batch, updates);
}

/** @param changed the rows whose records, or records related to these, were changed. */
function setOutcomes({ nameOf }: ResourceDefinition, rows: readonly Row[], changed: ReadonlySet<Row>): void {
  for (const row of rows) {
    const { before, after, address } = row;
    if (!before) {
      row.outcome = { result: 'created', address };
      continue;
    }
    const isLinked = hasNewExternalId(row);
    const names = nameOf && after && [nameOf(before), nameOf(after)];
    const [from = '', to = ''] = names ?? [];
    row.outcome = {
      result: changed.has(row) || isLinked ? 'updated' : 'unchanged',
      renamed: from === to ? undefined : { id: row.id as string, before: from, after: to },
      address,
      isLinked,
    };
  }
}

async function auditRows({ record }: ResourceDefinition, batch: Batch, rows: readonly Row[]): Promise<void> {
  const idsWith = (result: 'created' | 'updated') =>
    rows.filter(({ outcome }) => outcome?.result === result).map(({ id }) => id as string);
  await auditRecords(batch, `create${record}`, idsWith('created'));
  await auditRecords(batch, `update${record}`, idsWith('updated'));
}
