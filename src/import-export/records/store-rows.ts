import type { FieldError } from '../../domain/core/errors.ts';
import {
  auditRecords,
  type Batch,
  idValue,
  insertRecords,
  LostRaceError,
  lockRecords,
  updateRecords,
} from './batch.ts';
import {
  AMBIGUOUS,
  type ExternalIdLink,
  externalIdsOf,
  idOfSameSource,
  linkExternalIds,
  namesIn,
  recordsByAnyId,
  recordsByKey,
  resolveReferences,
  splitByNames,
} from './references.ts';
import { changedColumns, type ResourceDefinition, type Row, type RowOutcome, rejected } from './resource.ts';
import type { NumberedRow } from './row.ts';

/**
 * Stores rows in order, see `store` of `ImportResource`: resolves what they refer to, matches them with records, compares
 * and locks these, writes the changes, and audits them.
 */
export async function storeRows(
  definition: ResourceDefinition,
  batch: Batch,
  numbered: readonly NumberedRow[],
): Promise<RowOutcome[]> {
  const rows = numbered.map((row) => createRow(definition, batch, row));
  await resolveRows(definition, batch, rows);
  await definition.convert?.(batch, rows.filter(isPending));
  const invalid = rows.filter((row) => !isPending(row));
  await storeValid(definition, batch, rows.filter(isPending));
  await explainRejected(definition, batch, invalid);
  return rows.map(({ problems, outcome }) => (outcome && problems.length === 0 ? outcome : rejected(...problems)));
}

function createRow(definition: ResourceDefinition, batch: Batch, numbered: NumberedRow): Row {
  const { input, errors = [] } = numbered.parsed;
  const earlierLine = batch.addresses?.earlierLineOf(numbered);
  return {
    ...numbered,
    input,
    externalId: input.external_id as string | undefined,
    key: earlierLine === undefined ? definition.keyOf?.(input) : definition.sharedKeyOf?.(batch, numbered),
    earlierLine,
    problems: [...errors],
    values: {},
    references: {},
    id: undefined,
  };
}

/** Whether a row is neither rejected, nor stored, nor waiting. */
function isPending({ problems, outcome }: Row): boolean {
  return problems.length === 0 && outcome === undefined;
}

/** Sets the columns of rows, with the ids of the records that they refer to; unknown references are problems. */
async function resolveRows(definition: ResourceDefinition, batch: Batch, rows: readonly Row[]): Promise<void> {
  const { columns, timestamps, references = {} } = definition;
  const names = [...Object.keys(columns), ...timestamps];
  for (const { input, values } of rows) {
    for (const name of names) if (input[name] !== undefined) values[name] = input[name];
  }
  for (const [field, { matcher, column }] of Object.entries(references)) {
    const cellOf = ({ input, parsed }: Row) => (input[field] === undefined ? undefined : parsed.listCells?.[field]);
    const listed = ({ input }: Row) => [input[field] ?? []].flat() as string[];
    const candidates = rows.flatMap((row) => namesIn(cellOf(row) ?? '').concat(listed(row)));
    const resolve = await resolveReferences(batch, matcher, candidates);
    const isKnown = (name: string) => typeof resolve(field, name) === 'string';
    for (const row of rows) {
      const cell = cellOf(row);
      const items = cell === undefined ? listed(row) : splitByNames(cell, isKnown);
      const resolved = items.map((reference) => resolve(field, reference));
      const ids = resolved.filter((id) => typeof id === 'string');
      row.references[field] = ids;
      row.problems.push(...resolved.filter((error): error is FieldError => typeof error === 'object'));
      if (column && row.input[field] !== undefined) row.values[column] = idValue(matcher.table, ids[0]);
    }
  }
}

/**
 * Stores valid rows. Rows that wait are tried again as long as this stores some of them. The others wait for a later batch;
 * without one, they are stored or rejected as they are.
 */
async function storeValid(definition: ResourceDefinition, batch: Batch, rows: readonly Row[]): Promise<void> {
  let pending = rows;
  for (let attempted = Number.POSITIVE_INFINITY; ; ) {
    while (pending.length > 0) {
      await storeSelected(definition, batch, await selectRows(definition, batch, pending));
      pending = pending.filter(isPending);
      for (const row of pending) clearMatch(row);
    }
    const waiting = rows.filter(({ outcome }) => outcome?.result === 'waiting');
    const isFinal = waiting.length === attempted;
    if (waiting.length === 0 || (isFinal && batch.canWait)) return;
    attempted = waiting.length;
    for (const row of waiting) {
      clearMatch(row);
      row.isFinal = isFinal;
    }
    pending = waiting;
  }
}

/** Clears the match of a row that is stored later, because other rows can change which record it matches. */
function clearMatch(row: Row): void {
  row.id = undefined;
  row.match = undefined;
  row.before = undefined;
  row.outcome = undefined;
  row.isRematched = false;
  row.problems = [];
}

/**
 * Matches rows with existing records, locks these, and computes the new values of each row. Rows that share a record or
 * an identifier with an earlier row are left for later.
 *
 * @returns at most one row per record, and per key if keys are unique; without rejected ones.
 * @throws {LostRaceError} when a matched record was deleted concurrently.
 */
async function selectRows(definition: ResourceDefinition, batch: Batch, rows: readonly Row[]): Promise<Row[]> {
  const [distinct, repeated] = splitRepeated(rows, identifiersOf, (row) => identifiersToDeferBy(definition, row));
  await matchRows(definition, batch, distinct);
  const [matched, sameRecord] = splitRepeated(distinct.filter(isPending), ({ id }) => (id === undefined ? [] : [id]));
  await compareWithRecords(definition, batch, matched);
  const released = rowsOfReleasedKeys(definition, distinct);
  for (const row of [...repeated, ...sameRecord, ...released]) clearMatch(row);
  const deferred = new Set(released);
  return matched.filter((row) => !deferred.has(row) && isStorable(row));
}

/** Whether a pending row need not be matched again first. */
function isStorable(row: Row): boolean {
  return isPending(row) && !row.isRematched;
}

/**
 * Splits rows into those that share no identifier with an earlier row, and the others.
 *
 * @param deferBy the identifiers of a row that are compared with all identifiers of earlier rows.
 */
function splitRepeated(
  rows: readonly Row[],
  identifiers: (row: Row) => readonly string[],
  deferBy = identifiers,
): [Row[], Row[]] {
  const seen = new Set<string>();
  const [first, repeated]: [Row[], Row[]] = [[], []];
  for (const row of rows) {
    (deferBy(row).some((name) => seen.has(name)) ? repeated : first).push(row);
    for (const name of identifiers(row)) seen.add(name);
  }
  return [first, repeated];
}

function identifiersOf({ externalId, key }: Row): string[] {
  const ofKey = key === undefined ? [] : [`key ${key}`];
  if (externalId !== undefined) return [`external ${externalId}`, ...ofKey];
  return key === undefined ? [] : [...ofKey, `unlinked key ${key}`];
}

/**
 * The identifiers that a row must not share with an earlier row that is stored at the same time. If keys are not unique, a
 * row with an external id is deferred only for rows with the same external id, or without one but with its key, so that
 * records with equal keys keep their order.
 */
function identifiersToDeferBy({ hasUniqueKeys }: ResourceDefinition, row: Row): string[] {
  if (row.externalId === undefined || hasUniqueKeys) return identifiersOf(row);
  return [`external ${row.externalId}`, `unlinked key ${row.key}`];
}

/** Rows whose key belongs to a record whose key an earlier row of the batch changes. */
function rowsOfReleasedKeys({ keyOf, canExchangeKeys }: ResourceDefinition, rows: readonly Row[]): Row[] {
  const released = new Set<string | undefined>();
  return rows.filter(({ key, match, before, after }) => {
    const isReleased = key !== undefined && released.has(key) && !(canExchangeKeys && match && match.by !== 'key');
    const keyBefore = before && keyOf?.(before);
    if (keyBefore !== undefined && keyBefore !== keyOf?.(after ?? {})) released.add(keyBefore);
    return isReleased;
  });
}

/** Sets the id and match of rows that match existing records: by external id or id, otherwise by key. */
async function matchRows(definition: ResourceDefinition, batch: Batch, rows: readonly Row[]): Promise<void> {
  const { name, matcher, record, keyField = 'external_id', hasUniqueKeys, verifyMatches } = definition;
  const found = await recordsByAnyId(
    batch,
    matcher,
    rows.flatMap(({ externalId }) => externalId ?? []),
  );
  for (const row of rows) {
    const match = row.externalId === undefined ? undefined : found.get(row.externalId);
    if (match) [row.id, row.match] = [match.id, { by: match.by }];
  }
  const unmatched = rows.flatMap((row) =>
    row.id === undefined && row.key !== undefined ? [{ row, key: row.key }] : [],
  );
  const byKey = await recordsByKey(
    batch,
    matcher,
    unmatched.map(({ key }) => key),
  );
  const ids = [...byKey.values()].filter((id) => typeof id === 'string');
  const externalIds = await externalIdsOf(batch, name, ids);
  for (const { row, key } of unmatched) {
    const id = byKey.get(key);
    if (id === undefined) continue;
    const { externalId, problems } = row;
    if (id === AMBIGUOUS) {
      const message = `matches several ${record} records; set external_id to select one`;
      // A row with an external id creates a new record with the same key instead.
      if (externalId === undefined) problems.push({ field: keyField, message });
      continue;
    }
    const otherExternalId =
      externalId === undefined ? undefined : idOfSameSource(batch, externalId, externalIds.get(id));
    if (otherExternalId === undefined || (hasUniqueKeys && verifyMatches))
      [row.id, row.match] = [id, { by: 'key', otherExternalId }];
    else if (hasUniqueKeys) {
      const owner = `another ${record.toLowerCase()}, whose external_id is ${JSON.stringify(otherExternalId)}`;
      problems.push({ field: keyField, message: `belongs to ${owner}` });
    }
  }
}

/** Locks the matched records, computes the new values of each row, and verifies that it describes its record. */
async function compareWithRecords(definition: ResourceDefinition, batch: Batch, rows: readonly Row[]): Promise<void> {
  const ids = rows.flatMap(({ id }) => id ?? []);
  const before = await lockRecords(batch, definition.matcher.table, definition.columns, ids);
  for (const row of rows) {
    row.before = row.id === undefined ? undefined : before.get(row.id);
    if (row.id !== undefined && !row.before) throw new LostRaceError();
  }
  await definition.verifyMatches?.(batch, rows);
  for (const row of rows) {
    const missing = row.parsed.missing?.filter(({ field }) => row.values[field] === undefined) ?? [];
    if (!row.before) row.problems.push(...missing);
    row.after = { ...(row.before ?? definition.defaults), ...row.values };
  }
}

/**
 * Stores selected rows, unless they conflict with other records, and sets their outcomes.
 *
 * @throws {LostRaceError} when a concurrent write changed the same records.
 */
async function storeSelected(definition: ResourceDefinition, batch: Batch, selected: readonly Row[]): Promise<void> {
  const { name, record, nameOf } = definition;
  const creations = selected.filter(isNew);
  const ids = creations.length === 0 ? [] : await definition.newIds(batch, creations.length);
  for (const [index, row] of creations.entries()) row.id = ids[index];
  await check(definition, batch, selected);
  const rows = selected.filter(isStorable);
  const updates = rows.filter((row) => !isNew(row) && changedColumns(definition, row).length > 0);
  await writeRecords(definition, batch, rows.filter(isNew), updates);
  // A row that matches by external id is linked already; one that matches by an id of the service never is.
  const linked = new Set(
    rows.filter(({ externalId, match }) => externalId !== undefined && (!match || match.by === 'key')),
  );
  await linkExternalIds(
    batch,
    name,
    [...linked].map(({ id, externalId }) => ({ id, externalId }) as ExternalIdLink),
  );
  const related = (await definition.storeRelated?.(batch, rows)) ?? [];
  const changed = new Set([...updates, ...linked, ...related]);
  for (const row of rows) {
    const { before, after, address, id } = row;
    if (!before) {
      row.outcome = { result: 'created', address };
      continue;
    }
    const [from, to] = nameOf && after ? [nameOf(before), nameOf(after)] : ['', ''];
    row.outcome = {
      result: changed.has(row) ? 'updated' : 'unchanged',
      renamed: from === to ? undefined : { id: id as string, before: from, after: to },
      address,
      isLinked: linked.has(row),
    };
  }
  const idsWith = (result: 'created' | 'updated') =>
    rows.filter(({ outcome }) => outcome?.result === result).map(({ id }) => id as string);
  await auditRecords(batch, `create${record}`, idsWith('created'));
  await auditRecords(batch, `update${record}`, idsWith('updated'));
}

function isNew({ before }: Row): boolean {
  return before === undefined;
}

async function check(definition: ResourceDefinition, batch: Batch, rows: readonly Row[]): Promise<void> {
  await definition.check?.(
    batch,
    rows.filter(isNew),
    rows.filter((row) => !isNew(row)),
  );
}

async function writeRecords(
  definition: ResourceDefinition,
  batch: Batch,
  creations: readonly Row[],
  updates: readonly Row[],
): Promise<void> {
  const { matcher, timestamps, derive, insert = insertRecords } = definition;
  const columns = { ...definition.columns, ...definition.derived };
  const stored = ({ id, after = {} }: Row) => ({ id: id as string, values: { ...after, ...derive?.(after) } });
  await insert(batch, matcher.table, columns, timestamps, creations.map(stored));
  await definition.beforeUpdate?.(batch, updates);
  const hasUpdatedAt = timestamps.includes('updated_at');
  const count = await updateRecords(batch, matcher.table, columns, hasUpdatedAt, updates.map(stored));
  if (count !== updates.length) throw new LostRaceError();
  await definition.afterUpdate?.(batch, updates);
}

/** Adds to rows that are rejected anyway the problems that depend on stored records. */
async function explainRejected(definition: ResourceDefinition, batch: Batch, rows: readonly Row[]): Promise<void> {
  if (rows.length === 0) return;
  await matchRows(definition, batch, rows);
  await compareWithRecords(definition, batch, rows);
  await check(definition, batch, rows);
}
