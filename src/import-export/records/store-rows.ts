import { searchTextOf } from '../../domain/values/search-text.ts';
import { type Batch, LostRaceError, type Outcome } from './batch.ts';
import type { DryRunRecord } from './dry-run-state.ts';
import { linkExternalIds } from './external-id.ts';
import { changedColumns, type ResourceDefinition, type Row } from './resource-definition.ts';
import type { Selection } from './select-rows.ts';
import { auditRecords, insertRecords, type StoredRow, updateRecords, type Values } from './write.ts';

/**
 * Stores the accepted rows of a selection, unless they conflict with other records, and sets their outcomes.
 *
 * @throws {LostRaceError} when a concurrent write changed the same records.
 */
export async function storeAccepted(
  definition: ResourceDefinition,
  batch: Batch,
  { accepted, unlinked }: Pick<Selection, 'accepted' | 'unlinked'>,
): Promise<void> {
  const [creations, matches] = [accepted.filter(isNew), accepted.filter((row) => !isNew(row))];
  await assignIds(definition, batch, creations);
  await definition.check?.(batch, creations, matches);
  const rows = accepted.filter((row) => !row.outcome);
  const changes = rows.filter((row) => !isNew(row) && changedColumns(definition, row).length > 0);
  if (batch.dryRun) {
    for (const row of rows) batch.dryRun.add(definition.name, dryRunRecord(definition, row, unlinked.has(row)));
  } else {
    await writeRecords(definition, batch, rows.filter(isNew), changes);
    const linkable = rows.filter((row) => unlinked.has(row));
    await storeExternalIds(definition, batch, linkable);
  }
  const related = (await definition.storeRelated?.(batch, rows)) ?? new Set();
  setOutcomes(rows, new Set([...changes, ...related]));
  if (!batch.dryRun) await auditRows(definition, batch, rows);
}

function isNew({ before }: Row): boolean {
  return before === undefined;
}

async function assignIds(definition: ResourceDefinition, batch: Batch, creations: readonly Row[]): Promise<void> {
  const ids = creations.length === 0 ? [] : await definition.newIds(batch, creations.length);
  for (const [index, row] of creations.entries()) row.id = ids[index];
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

/** Inserts and updates records. */
async function writeRecords(
  definition: ResourceDefinition,
  batch: Batch,
  creations: readonly Row[],
  changes: readonly Row[],
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

async function storeExternalIds({ name }: ResourceDefinition, batch: Batch, rows: readonly Row[]): Promise<void> {
  await linkExternalIds(
    batch,
    name,
    rows.map(({ id, externalId }) => ({ id: id as string, externalId: externalId as string })),
  );
}

/** @param changed the rows whose records, or records related to these, were changed. */
function setOutcomes(rows: readonly Row[], changed: ReadonlySet<Row>): void {
  for (const row of rows) {
    if (isNew(row)) row.outcome = { result: 'created' };
    else row.outcome = { result: changed.has(row) ? 'updated' : 'unchanged' };
  }
}

async function auditRows({ record }: ResourceDefinition, batch: Batch, rows: readonly Row[]): Promise<void> {
  const idsWith = (result: Outcome['result']) =>
    rows.filter(({ outcome }) => outcome?.result === result).map(({ id }) => id as string);
  await auditRecords(batch, `create${record}`, idsWith('created'));
  await auditRecords(batch, `update${record}`, idsWith('updated'));
}
