import { type Batch, LostRaceError, rejected } from './batch.ts';
import { matchRows } from './match-rows.ts';
import type { ResourceDefinition, Row } from './resource-definition.ts';
import { lockRecords } from './write.ts';

/** Rows that can be stored together. */
export interface Selection {
  /** At most one row per record and key, without rejected ones. */
  readonly accepted: readonly Row[];
  /** The rows to be stored after these, in order. */
  readonly deferred: readonly Row[];
  /** Rows whose external id must be stored; not all of them are accepted. */
  readonly unlinked: ReadonlySet<Row>;
}

/**
 * Matches rows with existing records, locks these, and computes the new values of each row. Selects at most one row per
 * record and key; the others are deferred.
 *
 * @throws {LostRaceError} when a matched record was deleted concurrently.
 */
export async function selectStorable(
  definition: ResourceDefinition,
  batch: Batch,
  rows: readonly Row[],
): Promise<Selection> {
  const [distinct, repeated] = splitRepeated(rows, identifiersOf, (row) => identifiersThatMatch(definition, row));
  const unlinked = await matchRows(definition, batch, distinct);
  const [matched, sameRecord] = splitRepeated(
    distinct.filter((row) => !row.outcome),
    ({ id }) => (id === undefined ? [] : [id]),
  );
  await lockAndDiff(definition, batch, matched);
  const deferred = new Set([...repeated, ...sameRecord, ...rowsOfReleasedKeys(definition, distinct)]);
  for (const row of deferred) clearMatch(row);
  return {
    accepted: matched.filter((row) => !deferred.has(row) && !row.outcome),
    deferred: rows.filter((row) => deferred.has(row)),
    unlinked,
  };
}

/** The external id and the key of a row. */
function identifiersOf({ externalId, key }: Row): string[] {
  return [
    ...(externalId === undefined ? [] : [`external ${externalId}`]),
    ...(key === undefined ? [] : [`key ${key}`]),
  ];
}

/**
 * The identifiers with which a row can match a record that an earlier row creates. If the resource has no `conflictCode`,
 * the key of a row with an external id does not match such a record. Deferring the row would change the order of records
 * with the same key.
 */
function identifiersThatMatch({ conflictCode }: ResourceDefinition, row: Row): string[] {
  const isMatchedByKey = row.externalId === undefined || conflictCode !== undefined;
  return identifiersOf(isMatchedByKey ? row : { ...row, key: undefined });
}

/**
 * Splits rows into those that share no identifier with an earlier row, and the others.
 *
 * @param compared the identifiers of a row that are compared with all identifiers of earlier rows.
 */
function splitRepeated(
  rows: readonly Row[],
  identifiers: (row: Row) => readonly string[],
  compared = identifiers,
): [Row[], Row[]] {
  const seen = new Set<string>();
  const [first, repeated]: [Row[], Row[]] = [[], []];
  for (const row of rows) {
    (compared(row).some((name) => seen.has(name)) ? repeated : first).push(row);
    for (const name of identifiers(row)) seen.add(name);
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

/** Rows whose key belongs to a record to which an earlier row of the batch gives a different key. */
function rowsOfReleasedKeys({ keyOf }: ResourceDefinition, rows: readonly Row[]): Row[] {
  const released = new Set<string | undefined>();
  return rows.filter(({ key, before, after }) => {
    const isReleased = key !== undefined && released.has(key);
    const keyBefore = before && keyOf?.(before);
    if (keyBefore !== undefined && keyBefore !== keyOf?.(after ?? {})) released.add(keyBefore);
    return isReleased;
  });
}

/** Clears the match of a deferred row, because storing other rows first can change which record it matches. */
function clearMatch(row: Row): void {
  row.id = undefined;
  row.before = undefined;
  row.outcome = undefined;
}
