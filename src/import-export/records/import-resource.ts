import { searchTextOf } from '../../domain/lists/search.ts';
import { type Batch, type ImportResource, LostRaceError, type Outcome, type ParsedRow, rejected } from './batch.ts';
import { linkExternalIds } from './external-id.ts';
import { identify } from './identify.ts';
import { changedColumns, givenColumns, type ResourceDefinition, type Row } from './resource-definition.ts';
import { auditRecords, insertRecords, lockRecords, type StoredRow, updateRecords, type Values } from './write.ts';

/** Makes the bulk operations of a kind of records. */
export function defineRecords(kind: ResourceDefinition): ImportResource {
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
        waiting = await storeDistinctRows(kind, batch, waiting);
      }
      return rows.map(({ outcome }) => outcome as Outcome);
    },
  };

  async function takeColumns(_: Batch, rows: readonly Row[]): Promise<void> {
    for (const row of rows) row.values = givenColumns(kind, row.said);
  }
}

function newRow(kind: ResourceDefinition, { said, errors, missing }: ParsedRow): Row {
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
async function storeDistinctRows(kind: ResourceDefinition, batch: Batch, rows: readonly Row[]): Promise<Row[]> {
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
  await write(
    kind,
    batch,
    open.filter((row) => !row.outcome),
    found,
  );
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

/** Says what is to be done with each row: make a record, change one, or nothing. */
async function compare(kind: ResourceDefinition, batch: Batch, rows: readonly Row[]): Promise<void> {
  const ids = rows.flatMap(({ id }) => (id === undefined ? [] : [id]));
  const before = await lockRecords(batch, kind.identity.table, kind.columns, ids);
  for (const row of rows) {
    row.before = row.id === undefined ? undefined : before.get(row.id);
    // Only a trial plans records that it does not write.
    if (row.id !== undefined && !row.before) {
      if (!batch.planned) throw new LostRaceError();
      row.before = {};
    }
    if (!row.before && row.missing) row.outcome = rejected(...row.missing);
    row.after = { ...(row.before ?? kind.defaults), ...row.values };
  }
}

async function giveIds(kind: ResourceDefinition, batch: Batch, creations: readonly Row[]): Promise<void> {
  const ids = creations.length === 0 ? [] : await kind.newIds(batch, creations.length);
  for (const [index, row] of creations.entries()) row.id = ids[index];
}

async function write(
  kind: ResourceDefinition,
  batch: Batch,
  rows: readonly Row[],
  unlinked: ReadonlySet<Row>,
): Promise<void> {
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
  await auditRecords(batch, `create${kind.record}`, idsOf(creations));
  await auditRecords(batch, `update${kind.record}`, idsOf(updated));
}

/** What a trial finds a planned record by: its key, and its name in any letter case. */
function namesOf({ key, after }: Row): string[] {
  const name = typeof after?.name === 'string' ? [searchTextOf(after.name)] : [];
  return key === undefined ? name : [key, ...name];
}

async function writeColumns(kind: ResourceDefinition, batch: Batch, creations: Row[], changes: Row[]): Promise<void> {
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
  if (count !== changes.length) throw new LostRaceError();
  await kind.afterUpdate?.(batch, changes);
}

function idsOf(rows: readonly Row[]): string[] {
  return rows.map(({ id }) => id as string);
}
