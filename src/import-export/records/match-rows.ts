import type { Batch } from './batch.ts';
import { AMBIGUOUS, externalIdsOf, idOfSameSource, recordsByAnyId, recordsByKey } from './external-id.ts';
import type { ResourceDefinition, Row } from './resource-definition.ts';

/** Sets the id and match of rows that match existing records. */
export async function matchRows(definition: ResourceDefinition, batch: Batch, rows: readonly Row[]): Promise<void> {
  const externalIds = rows.flatMap(({ externalId }) => externalId ?? []);
  const found = await recordsByAnyId(batch, definition.matcher, externalIds);
  for (const row of rows) {
    const record = row.externalId === undefined ? undefined : found.get(row.externalId);
    if (record) [row.id, row.match] = [record.id, { by: record.by }];
  }
  const unmatched = rows.filter((row) => row.id === undefined && row.key !== undefined);
  await matchByKey(definition, batch, unmatched);
}

async function matchByKey(definition: ResourceDefinition, batch: Batch, rows: readonly Row[]): Promise<void> {
  const keys = rows.map((row) => row.key as string);
  const byKey = await recordsByKey(batch, definition.matcher, keys);
  const ids = [...byKey.values()].filter((id) => typeof id === 'string');
  const externalIds = await externalIdsOf(batch, definition.name, ids);
  for (const row of rows) {
    const id = byKey.get(row.key as string);
    if (id === undefined) continue;
    if (id === AMBIGUOUS) {
      // A row with an external id creates a new record with the same key instead.
      if (row.externalId === undefined) row.problems.push(ambiguousKey(definition));
      continue;
    }
    const otherExternalId =
      row.externalId === undefined ? undefined : idOfSameSource(batch, row.externalId, externalIds.get(id));
    if (otherExternalId !== undefined && !definition.hasUniqueKeys) continue;
    if (otherExternalId !== undefined && !definition.verifyMatches)
      row.problems.push(keyConflict(definition, otherExternalId));
    else [row.id, row.match] = [id, { by: 'key', otherExternalId }];
  }
}

function ambiguousKey({ keyField = 'external_id', record }: ResourceDefinition) {
  return { field: keyField, message: `matches several ${record} records; set external_id to select one` };
}

function keyConflict({ keyField = 'external_id', record }: ResourceDefinition, externalId: string) {
  const message = `belongs to another ${record.toLowerCase()}, whose external_id is ${JSON.stringify(externalId)}`;
  return { field: keyField, message };
}
