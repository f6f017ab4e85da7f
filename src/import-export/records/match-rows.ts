import { type Batch, type Outcome, rejected } from './batch.ts';
import { AMBIGUOUS, externalIdsOf, recordsByAnyId, recordsByKey } from './external-id.ts';
import type { ResourceDefinition, Row } from './resource-definition.ts';

/** Sets `row.id` of rows that match existing records. @returns the rows whose external id must be stored. */
export async function matchRows(definition: ResourceDefinition, batch: Batch, rows: readonly Row[]): Promise<Set<Row>> {
  const withExternalId = rows.filter((row) => row.externalId !== undefined);
  const found = await recordsByAnyId(
    batch,
    definition.matcher,
    withExternalId.map((row) => row.externalId as string),
  );
  for (const row of withExternalId) row.id = found.get(row.externalId as string);
  const unlinked = new Set(withExternalId.filter((row) => row.id === undefined));
  await matchByKey(
    definition,
    batch,
    rows.filter((row) => row.id === undefined && row.key !== undefined),
  );
  return unlinked;
}

async function matchByKey(definition: ResourceDefinition, batch: Batch, rows: readonly Row[]): Promise<void> {
  const byKey = await recordsByKey(
    batch,
    definition.matcher,
    rows.map((row) => row.key as string),
  );
  const ids = [...byKey.values()].filter((id) => typeof id === 'string');
  const externalIds = await externalIdsOf(batch, definition.name, ids);
  for (const row of rows) {
    const id = byKey.get(row.key as string);
    if (id === undefined) continue;
    const linkedId = id === AMBIGUOUS ? undefined : externalIds.get(id);
    if (id === AMBIGUOUS) {
      // If the row has an external id, it creates a new record with the same key instead.
      if (row.externalId === undefined) row.outcome = ambiguousKey(definition);
    } else if (row.externalId !== undefined && linkedId !== undefined) {
      // If the resource has no such code, the row creates a new record with the same key.
      const { conflictCode } = definition;
      if (conflictCode !== undefined) row.outcome = keyConflict(definition, conflictCode, linkedId);
    } else {
      row.id = id;
    }
  }
}

function ambiguousKey({ keyField = 'external_id', record }: ResourceDefinition): Outcome {
  const message = `matches several ${record} records; set external_id to select one`;
  return rejected({ field: keyField, message });
}

function keyConflict(
  { keyField = 'external_id', record }: ResourceDefinition,
  code: string,
  externalId: string,
): Outcome {
  const message = `belongs to another ${record.toLowerCase()}, whose external_id is ${JSON.stringify(externalId)}`;
  return { result: 'rejected', code, details: [{ field: keyField, message }] };
}
