import { type Batch, type Outcome, rejected } from './batch.ts';
import { AMBIGUOUS, existing, externalIdsOf, recordsByExternalId, recordsByKey } from './external-id.ts';
import type { ResourceDefinition, Row } from './resource-definition.ts';

/** Finds the records that rows mean. @returns the rows whose external id is to be remembered. */
export async function identify(kind: ResourceDefinition, batch: Batch, rows: readonly Row[]): Promise<Set<Row>> {
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

async function identifyByKey(kind: ResourceDefinition, batch: Batch, rows: readonly Row[]): Promise<void> {
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

function several({ keyField = 'external_id', record }: ResourceDefinition): Outcome {
  const message = `several records of kind ${record} have it; say by external_id which one is meant`;
  return rejected({ field: keyField, message });
}

function taken(
  { keyField = 'external_id', record, takenCode = 'invalid_request' }: ResourceDefinition,
  other: string,
): Outcome {
  const message = `is that of another ${record.toLowerCase()}, whose external_id is ${JSON.stringify(other)}`;
  return { result: 'rejected', code: takenCode, details: [{ field: keyField, message }] };
}
