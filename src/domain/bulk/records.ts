import type { Sql } from '../../store/sql.ts';
import { searchTextOf } from '../search.ts';
import {
  type Batch,
  type BulkResource,
  type FieldKind,
  LostRace,
  type Outcome,
  type ParsedRow,
  type ResourceName,
  rejected,
  type Said,
} from './batch.ts';
import {
  AMBIGUOUS,
  existing,
  externalIdsOf,
  type Identity,
  linkExternalIds,
  recordsByExternalId,
  recordsByKey,
} from './external-id.ts';
import {
  insertRecords,
  lockRecords,
  noteRecords,
  type StoredColumns,
  type StoredRow,
  updateRecords,
  type Values,
} from './write.ts';

/** A row on its way into the store. */
export interface Row {
  readonly said: Said;
  readonly missing: ParsedRow['missing'];
  readonly externalId: string | undefined;
  readonly key: string | undefined;
  /** What it says of the columns; filled by `resolve`. */
  values: Record<string, unknown>;
  /** The record: one that exists, or the new one. */
  id: string | undefined;
  /** The record's columns before, where it exists. */
  before?: Values | undefined;
  /** All columns as they are to be. */
  after?: Values;
  outcome?: Outcome;
}

/** A kind of records with ids of their own. */
export interface RecordKind {
  readonly name: ResourceName;
  /** As messages and the audit name it: `Member`. */
  readonly record: string;
  readonly identity: Identity;
  /** Tables beside its own that its records fill. */
  readonly relatedTables?: readonly string[];
  readonly fields: Readonly<Record<string, FieldKind>>;
  readonly parse: (values: Said, country: string) => ParsedRow;
  /** The key of a row, by which the record is found that has no external id yet. */
  keyOf?(said: Said): string | undefined;
  /** The field that holds the key, for messages. */
  readonly keyField?: string;
  /** The code of a refusal because another record has the key. */
  readonly takenCode?: string;
  /** The columns that fields fill. */
  readonly columns: StoredColumns;
  /** Columns that follow from others. */
  readonly derived?: StoredColumns;
  derive?(values: Values): Values;
  /** `created_at`, `updated_at`, or whatever the table has of them. */
  readonly times: readonly string[];
  /** What a new record has where a row says nothing. */
  readonly defaults?: Values;
  newIds(batch: Batch, count: number): Promise<string[]> | string[];
  /** Turns what rows say into columns (`row.values`), references into ids; rejects what does not exist. */
  resolve?(batch: Batch, rows: readonly Row[]): Promise<void>;
  /** Rejects what the records of others forbid. */
  check?(batch: Batch, creations: readonly Row[], changes: readonly Row[]): Promise<void>;
  insert?(batch: Batch, rows: readonly StoredRow[]): Promise<void>;
  /** Before and after the columns of records change. */
  beforeUpdate?(batch: Batch, rows: readonly Row[]): Promise<void>;
  afterUpdate?(batch: Batch, rows: readonly Row[]): Promise<void>;
  /** Stores what belongs to records in other tables; those that this changed. */
  storeRelated?(batch: Batch, rows: readonly Row[]): Promise<Set<Row>>;
  exported(organizationId: string): Sql;
}

/** Makes the bulk operations of a kind of records. */
export function defineRecords(kind: RecordKind): BulkResource {
  return {
    name: kind.name,
    tables: [kind.identity.table, ...(kind.relatedTables ?? []), 'external_id'],
    fields: kind.fields,
    parse: kind.parse,
    exported: (organizationId) => kind.exported(organizationId),
    async store(batch, parsed) {
      const rows = parsed.map((one) => newRow(kind, one));
      const open = rows.filter((row) => !row.outcome);
      await (kind.resolve ?? takeColumns)(batch, open);
      for (let waiting = open.filter((row) => !row.outcome); waiting.length > 0; ) {
        waiting = await storeWave(kind, batch, waiting);
      }
      return rows.map(({ outcome }) => outcome as Outcome);
    },
  };

  async function takeColumns(_: Batch, rows: readonly Row[]): Promise<void> {
    for (const row of rows) row.values = columnsSaid(kind, row.said);
  }
}

/** The columns that have the names of the fields that a row names. */
export function columnsSaid(kind: Pick<RecordKind, 'columns' | 'times'>, said: Said): Record<string, unknown> {
  const names = [...Object.keys(kind.columns), ...kind.times];
  return Object.fromEntries(names.filter((name) => said[name] !== undefined).map((name) => [name, said[name]]));
}

function newRow(kind: RecordKind, { said, errors, missing }: ParsedRow): Row {
  const row: Row = {
    said,
    missing,
    externalId: said.external_id as string | undefined,
    key: errors ? undefined : kind.keyOf?.(said),
    values: {},
    id: undefined,
  };
  if (errors) row.outcome = rejected(...errors);
  return row;
}

/** Stores the rows that name each record once; those that name one again are returned, for the next wave. */
async function storeWave(kind: RecordKind, batch: Batch, rows: readonly Row[]): Promise<Row[]> {
  const [wave, waiting] = withoutRepetition(rows);
  const found = await identify(kind, batch, wave);
  const records = new Map<string, Row>();
  const open: Row[] = [];
  for (const row of wave) {
    if (row.outcome) continue;
    const other = row.id === undefined ? undefined : records.get(row.id);
    if (other) {
      row.id = undefined;
      waiting.push(row);
      continue;
    }
    if (row.id !== undefined) records.set(row.id, row);
    open.push(row);
  }
  await compare(kind, batch, open);
  const creations = open.filter((row) => !row.outcome && !row.before);
  const changes = open.filter((row) => !row.outcome && row.before);
  await giveIds(kind, batch, creations);
  await kind.check?.(batch, creations, changes);
  await write(kind, batch, open.filter((row) => !row.outcome), found);
  return waiting;
}

function withoutRepetition(rows: readonly Row[]): [Row[], Row[]] {
  const seen = new Set<string>();
  const [first, again]: [Row[], Row[]] = [[], []];
  for (const row of rows) {
    const names = [
      ...(row.externalId === undefined ? [] : [`external ${row.externalId}`]),
      ...(row.key === undefined ? [] : [`key ${row.key}`]),
    ];
    (names.some((name) => seen.has(name)) ? again : first).push(row);
    for (const name of names) seen.add(name);
  }
  return [first, again];
}

/** Finds the records that rows mean. @returns the rows whose external id is to be remembered. */
async function identify(kind: RecordKind, batch: Batch, rows: readonly Row[]): Promise<Set<Row>> {
  const { identity } = kind;
  const named = rows.filter((row) => row.externalId !== undefined);
  const linked = await recordsByExternalId(
    batch,
    kind.name,
    named.map((row) => row.externalId as string),
  );
  const own = new Map<Row, string>();
  for (const row of named) {
    row.id = linked.get(row.externalId as string);
    const id = row.id === undefined ? identity.ownId(batch.organization.id, row.externalId as string) : undefined;
    if (id !== undefined) own.set(row, id);
  }
  const present = await existing(batch, identity, [...own.values()]);
  for (const [row, id] of own) if (present.has(id)) row.id = id;
  const unlinked = new Set(named.filter((row) => row.id === undefined));
  await identifyByKey(
    kind,
    batch,
    rows.filter((row) => row.id === undefined && row.key !== undefined),
  );
  return unlinked;
}

async function identifyByKey(kind: RecordKind, batch: Batch, rows: readonly Row[]): Promise<void> {
  const byKey = await recordsByKey(
    batch,
    kind.identity,
    rows.map((row) => row.key as string),
  );
  const ids = [...byKey.values()].filter((id) => typeof id === 'string');
  const externalIds = await externalIdsOf(batch, kind.name, ids);
  for (const row of rows) {
    const id = byKey.get(row.key as string);
    if (id === undefined) continue;
    const known = id === AMBIGUOUS ? undefined : externalIds.get(id);
    if (id === AMBIGUOUS) {
      // With an external id of its own, it is a further one of this name.
      if (row.externalId === undefined) row.outcome = several(kind);
    } else if (row.externalId !== undefined && known !== undefined) {
      if (kind.takenCode !== undefined) row.outcome = taken(kind, known);
    } else {
      row.id = id;
    }
  }
}

function several({ keyField = 'external_id', record }: RecordKind): Outcome {
  const message = `several records of kind ${record} have it; say by external_id which one is meant`;
  return rejected({ field: keyField, message });
}

function taken({ keyField = 'external_id', record, takenCode = 'invalid_request' }: RecordKind, other: string): Outcome {
  const message = `is that of another ${record.toLowerCase()}, whose external_id is ${JSON.stringify(other)}`;
  return { result: 'rejected', code: takenCode, details: [{ field: keyField, message }] };
}

/** Says what is to be done with each row: make a record, change one, or nothing. */
async function compare(kind: RecordKind, batch: Batch, rows: readonly Row[]): Promise<void> {
  const ids = rows.flatMap(({ id }) => (id === undefined ? [] : [id]));
  const before = await lockRecords(batch, kind.identity.table, kind.columns, ids);
  for (const row of rows) {
    row.before = row.id === undefined ? undefined : before.get(row.id);
    // Only a trial plans records that it does not write.
    if (row.id !== undefined && !row.before) {
      if (!batch.planned) throw new LostRace();
      row.before = {};
    }
    if (!row.before && row.missing) row.outcome = rejected(...row.missing);
    row.after = { ...(row.before ?? kind.defaults), ...row.values };
  }
}

async function giveIds(kind: RecordKind, batch: Batch, creations: readonly Row[]): Promise<void> {
  const ids = creations.length === 0 ? [] : await kind.newIds(batch, creations.length);
  for (const [index, row] of creations.entries()) row.id = ids[index];
}

async function write(kind: RecordKind, batch: Batch, rows: readonly Row[], unlinked: ReadonlySet<Row>): Promise<void> {
  const creations = rows.filter((row) => !row.before);
  const changes = rows.filter((row) => row.before && changedColumns(kind, row).length > 0);
  if (batch.planned) {
    for (const row of rows) batch.planned.note(kind.name, row.id as string, row.externalId, namesOf(row));
  } else {
    await writeColumns(kind, batch, creations, changes);
    const links = rows.filter((row) => unlinked.has(row));
    await linkExternalIds(
      batch,
      kind.name,
      links.map(({ id, externalId }) => ({ id: id as string, externalId: externalId as string })),
    );
  }
  const related = (await kind.storeRelated?.(batch, rows)) ?? new Set();
  const [created, changed] = [new Set(creations), new Set(changes)];
  const updated = rows.filter((row) => !created.has(row) && (changed.has(row) || related.has(row)));
  for (const row of rows) row.outcome = { result: 'unchanged' };
  for (const row of creations) row.outcome = { result: 'created' };
  for (const row of updated) row.outcome = { result: 'updated' };
  if (batch.planned) return;
  await noteRecords(batch, `create${kind.record}`, idsOf(creations));
  await noteRecords(batch, `update${kind.record}`, idsOf(updated));
}

/** What a trial finds a planned record by: its key, and its name in any letter case. */
function namesOf({ key, after }: Row): string[] {
  const name = typeof after?.name === 'string' ? [searchTextOf(after.name)] : [];
  return key === undefined ? name : [key, ...name];
}

async function writeColumns(kind: RecordKind, batch: Batch, creations: Row[], changes: Row[]): Promise<void> {
  const columns = { ...kind.columns, ...kind.derived };
  const insertion = { ...columns, ...Object.fromEntries(kind.times.map((name) => [name, 'timestamptz'])) };
  const stored = (row: Row): StoredRow => {
    const values = row.after as Values;
    return { id: row.id as string, values: { ...values, ...kind.derive?.(values) } };
  };
  await (kind.insert
    ? kind.insert(batch, creations.map(stored))
    : insertRecords(batch, kind.identity.table, insertion, kind.times, creations.map(stored)));
  await kind.beforeUpdate?.(batch, changes);
  const hasUpdatedAt = kind.times.includes('updated_at');
  const count = await updateRecords(batch, kind.identity.table, columns, hasUpdatedAt, changes.map(stored));
  if (count !== changes.length) throw new LostRace();
  await kind.afterUpdate?.(batch, changes);
}

function idsOf(rows: readonly Row[]): string[] {
  return rows.map(({ id }) => id as string);
}

/** The columns that a row changes. When a record was made and last changed is taken over for new ones only. */
export function changedColumns(kind: Pick<RecordKind, 'columns'>, { before, values }: Row): string[] {
  return Object.keys(kind.columns).filter(
    (name) => values[name] !== undefined && !sameValue(before?.[name], values[name]),
  );
}

/** Whether two values of JSON are the same, whatever the order of an object's keys. */
export function sameValue(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(sorted(one ?? null)) === JSON.stringify(sorted(other ?? null));
}

/** A value of JSON, the keys of objects in the order of their bytes. */
export function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([name, inner]) => [name, sorted(inner)]));
}
