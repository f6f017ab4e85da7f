import { type Batch, LostRaceError } from './batch.ts';
import { matchRows } from './match-rows.ts';
import type { ResourceDefinition, Row } from './resource-definition.ts';
import { lockRecords } from './write.ts';

/**
 * Matches rows with existing records, locks these, and computes the new values of each row. Rows that share a record or
 * an identifier with an earlier row are left for later.
 *
 * @returns at most one row per record, and per key if keys are unique; without rejected ones.
 * @throws {LostRaceError} when a matched record was deleted concurrently.
 */
export async function selectStorable(
  definition: ResourceDefinition,
  batch: Batch,
  rows: readonly Row[],
): Promise<Row[]> {
  const [distinct, repeated] = splitRepeated(rows, identifiersOf, (row) => identifiersToDeferBy(definition, row));
  await matchRows(definition, batch, distinct);
  const [matched, sameRecord] = splitRepeated(distinct.filter(isPending), ({ id }) => (id === undefined ? [] : [id]));
  await compareWithRecords(definition, batch, matched);
  const released = rowsOfReleasedKeys(definition, distinct);
  for (const row of [...repeated, ...sameRecord, ...released]) clearMatch(row);
  const deferred = new Set(released);
  return matched.filter((row) => !deferred.has(row) && isStorable(row));
}

/** Whether a row is neither rejected, nor stored, nor waiting. */
export function isPending({ problems, outcome }: Row): boolean {
  return problems.length === 0 && outcome === undefined;
}

/** Whether a pending row need not be matched again first. */
export function isStorable(row: Row): boolean {
  return isPending(row) && !row.isRematched;
}

/** Clears the match of a row that is stored later, because other rows can change which record it matches. */
export function clearMatch(row: Row): void {
  row.id = undefined;
  row.match = undefined;
  row.before = undefined;
  row.outcome = undefined;
  row.isRematched = false;
  row.problems = [];
}

function identifiersOf({ externalId, key }: Row): string[] {
  return [
    ...(externalId === undefined ? [] : [`external ${externalId}`]),
    ...(key === undefined ? [] : [`key ${key}`]),
    ...(key === undefined || externalId !== undefined ? [] : [`unlinked key ${key}`]),
  ];
}

/**
 * The identifiers that a row must not share with an earlier row that is stored at the same time. If keys are not unique, a
 * row with an external id matches by key only a record that has none. It is not deferred for other rows with the same
 * key, because that would change the order of records with this key.
 */
function identifiersToDeferBy({ hasUniqueKeys }: ResourceDefinition, row: Row): string[] {
  if (row.externalId === undefined || hasUniqueKeys) return identifiersOf(row);
  return [`external ${row.externalId}`, `unlinked key ${row.key}`];
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

/** Locks the matched records, computes the new values of each row, and verifies that it describes its record. */
export async function compareWithRecords(
  definition: ResourceDefinition,
  batch: Batch,
  rows: readonly Row[],
): Promise<void> {
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
