import type { FieldError } from '../../domain/core/errors.ts';
import { type Batch, type ImportResource, type NumberedRow, rejected } from './batch.ts';
import { idValue, resolveReferences } from './external-id.ts';
import { namesIn, splitByNames } from './list-cell.ts';
import type { ResourceDefinition, Row } from './resource-definition.ts';
import { clearMatch, isPending, selectStorable } from './select-rows.ts';
import { explainRejected, storeAccepted } from './store-rows.ts';
import { undoRecords } from './undo-records.ts';

/** Creates the import and export of a resource whose records have ids. */
export function createImportResource(definition: ResourceDefinition): ImportResource {
  return {
    ...definition,
    tables: [definition.matcher.table, ...(definition.relatedTables ?? []), 'external_id'],
    async store(batch, numbered) {
      const rows = numbered.map((row) => createRow(definition, batch, row));
      await resolveRows(definition, batch, rows);
      await definition.convert?.(batch, rows.filter(isPending));
      const invalid = rows.filter((row) => !isPending(row));
      await storeRows(definition, batch, rows.filter(isPending));
      await explainRejected(definition, batch, invalid);
      return rows.map(({ problems, outcome }) => (outcome && problems.length === 0 ? outcome : rejected(...problems)));
    },
    undo: (batch, stored) => undoRecords(definition, batch, stored),
  };
}

/**
 * Stores rows in order. Rows that wait are tried again as long as this stores some of them. The others wait for a later
 * batch; without one, they are stored or rejected as they are.
 */
async function storeRows(definition: ResourceDefinition, batch: Batch, rows: readonly Row[]): Promise<void> {
  let pending = rows;
  for (let attempted = Number.POSITIVE_INFINITY; ; ) {
    while (pending.length > 0) {
      await storeAccepted(definition, batch, await selectStorable(definition, batch, pending));
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

function createRow(definition: ResourceDefinition, batch: Batch, { line, parsed }: NumberedRow): Row {
  const { input, errors = [] } = parsed;
  const sharedWith = batch.addresses?.earlierLineOf({ line, parsed });
  return {
    line,
    parsed,
    input,
    externalId: input.external_id as string | undefined,
    key: sharedWith === undefined ? definition.keyOf?.(input) : definition.sharedKeyOf?.(batch, { line, parsed }),
    sharedWith,
    problems: [...errors],
    values: {},
    references: {},
    id: undefined,
  };
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
