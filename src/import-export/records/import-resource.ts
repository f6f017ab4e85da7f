import type { FieldError } from '../../domain/core/errors.ts';
import { type Batch, type ImportResource, type Outcome, type ParsedRow, rejected } from './batch.ts';
import { idValue, resolveReferences } from './external-id.ts';
import type { ResourceDefinition, Row } from './resource-definition.ts';
import { selectStorable } from './select-rows.ts';
import { storeAccepted } from './store-rows.ts';

/** Creates the import and export of a resource whose records have ids. */
export function createImportResource(definition: ResourceDefinition): ImportResource {
  return {
    name: definition.name,
    tables: [definition.matcher.table, ...(definition.relatedTables ?? []), 'external_id'],
    fields: definition.fields,
    parse: definition.parse,
    exportSql: (organizationId) => definition.exportSql(organizationId),
    async store(batch, parsed) {
      const rows = parsed.map((parsedRow) => createRow(definition, parsedRow));
      const accepted = rows.filter((row) => !row.outcome);
      await resolveRows(definition, batch, accepted);
      await definition.convert?.(
        batch,
        accepted.filter((row) => !row.outcome),
      );
      let pending: readonly Row[] = accepted.filter((row) => !row.outcome);
      while (pending.length > 0) pending = await storeDistinct(definition, batch, pending);
      return rows.map(({ outcome }) => outcome as Outcome);
    },
  };
}

/** Stores at most one row per record and key. @returns the deferred rows, in order. */
async function storeDistinct(
  definition: ResourceDefinition,
  batch: Batch,
  rows: readonly Row[],
): Promise<readonly Row[]> {
  const selection = await selectStorable(definition, batch, rows);
  await storeAccepted(definition, batch, selection);
  return selection.deferred;
}

function createRow(definition: ResourceDefinition, { input, errors, missing }: ParsedRow): Row {
  const row: Row = {
    input,
    missing,
    externalId: input.external_id as string | undefined,
    key: errors ? undefined : definition.keyOf?.(input),
    values: {},
    references: {},
    id: undefined,
  };
  if (errors) row.outcome = rejected(...errors);
  return row;
}

/** Sets the columns of rows, with the ids of the records that they refer to; rejects rows with unknown references. */
async function resolveRows(definition: ResourceDefinition, batch: Batch, rows: readonly Row[]): Promise<void> {
  const { columns, timestamps, references = {} } = definition;
  const names = [...Object.keys(columns), ...timestamps];
  for (const { input, values } of rows) {
    for (const name of names) if (input[name] !== undefined) values[name] = input[name];
  }
  const errors = new Map<Row, FieldError[]>(rows.map((row) => [row, []]));
  for (const [field, { matcher, column }] of Object.entries(references)) {
    const referencesOf = ({ input }: Row) => [input[field] ?? []].flat() as string[];
    const resolve = await resolveReferences(batch, matcher, rows.flatMap(referencesOf));
    for (const row of rows) {
      const resolved = referencesOf(row).map((reference) => resolve(field, reference));
      const ids = resolved.filter((id) => typeof id === 'string');
      row.references[field] = ids;
      errors.get(row)?.push(...resolved.filter((error) => typeof error === 'object'));
      if (column && row.input[field] !== undefined) row.values[column] = idValue(matcher.table, ids[0]);
    }
  }
  for (const [row, found] of errors) if (found.length > 0) row.outcome = rejected(...found);
}
