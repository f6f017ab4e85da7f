import { notFound, ServiceError } from '../../domain/core/errors.ts';
import { MAX_INTEGER } from '../../domain/values/numbers.ts';
import { sql } from '../../store/sql.ts';
import { auditRecords, type Batch, type BatchOptions, runBatch } from '../records/batch.ts';
import type { KeptValue, UndoCounts } from '../records/resource.ts';
import { addCounts, type Values } from '../records/row.ts';
import { resourceOf } from '../resources/registry.ts';
import type { DryRunTables } from './dry-run-tables.ts';

export interface UndoOptions {
  readonly batchOptions: BatchOptions;
  readonly runId: string;
  /** Present in a dry run, which writes to copies of the tables. */
  readonly dryRun?: DryRunTables | undefined;
  /** Whether to stop; called before each batch. */
  shouldStop(): boolean;
  onProgress(progress: UndoProgress): void;
}

interface UndoProgress {
  /** The number of records that were removed or restored since the undo was begun or continued. */
  readonly rows: number;
  /** The part of the remaining batches that is undone, from 0 to 1. */
  readonly fraction: number;
}

export interface UndoResult extends UndoCounts {
  readonly complete: boolean;
  /** What stays as it is, because it was changed or is used since. */
  readonly kept: readonly KeptRecord[];
}

/** A record or a value that stays. */
interface KeptRecord {
  readonly id: string;
  readonly name: string | null;
  /** Null for a whole record. */
  readonly field: string | null;
  readonly reason: string;
}

const NOTHING: UndoCounts = { removed: 0, restored: 0, tags_removed: 0, external_ids_removed: 0 };

/**
 * Undoes an import, the last batch first, each in one transaction. An undo that was interrupted is continued, and one that is
 * complete only reported.
 *
 * @throws {ServiceError} `not_found`; `unavailable` if another process undoes the same import.
 */
export async function undoImport({ dryRun, runId, ...options }: UndoOptions): Promise<UndoResult> {
  const batchOptions = dryRun?.batchOptions ?? options.batchOptions;
  const { resource: name, counts: done, kept } = await runBatch(batchOptions, (batch) => startUndo(batch, runId));
  const resource = resourceOf(name);
  const fields = new Map<string, (string | null)[]>();
  const remember = ({ table, key, field }: Pick<KeptValue, 'table' | 'key' | 'field'>) => {
    fields.set(`${table} ${key}`, [...(fields.get(`${table} ${key}`) ?? []), field]);
  };
  for (const value of kept) remember(value);
  let counts = done;
  const first = await runBatch(batchOptions, (batch) => nextBatch(batch, runId));
  let number = first;
  while (number !== null && !options.shouldStop()) {
    const current: number = number;
    if (dryRun && resource.hasAddresses)
      await dryRun.addAddresses(await runBatch(batchOptions, (batch) => oldAddresses(batch, runId, current)));
    const undone = await runBatch(batchOptions, async (batch) => {
      if ((await nextBatch(batch, runId, current)) !== current)
        throw new ServiceError('unavailable', 'another process is undoing the same import');
      const keptFields = (table: string, key: string) => fields.get(`${table} ${key}`) ?? [];
      const { kept, ...more } = await resource.undo(batch, { runId, number: current, keptFields });
      const sum = addCounts(more, counts);
      const next = await nextBatch(batch, runId, current);
      await batch.query(sql`
        UPDATE import_run SET undo = ${JSON.stringify(sum)}::jsonb, updated_at = now(),
          undone_at = CASE WHEN ${next}::int IS NULL THEN now() END
        WHERE organization_id = ${batch.organization.id} AND id = ${runId}`);
      return { sum, next, kept };
    });
    counts = undone.sum;
    number = undone.next;
    for (const value of undone.kept) remember(value);
    const rows = counts.removed + counts.restored - done.removed - done.restored;
    options.onProgress({ rows, fraction: 1 - (number ?? 0) / (first ?? current) });
  }
  return {
    complete: number === null,
    ...counts,
    kept: await runBatch(batchOptions, (batch) => listKept(batch, runId)),
  };
}

interface StartedUndo {
  readonly resource: string;
  readonly counts: UndoCounts;
  readonly kept: readonly Pick<KeptValue, 'table' | 'key' | 'field'>[];
}

/** Begins or continues an undo. The import itself cannot be continued any more. */
async function startUndo(batch: Batch, runId: string): Promise<StartedUndo> {
  const { query, organization } = batch;
  const [run] = await query<{ resource: string; undo: UndoCounts | null }>(sql`
    SELECT resource, undo FROM import_run WHERE organization_id = ${organization.id} AND id = ${runId} FOR UPDATE`);
  if (!run) throw notFound('Import run');
  await query(sql`
    DELETE FROM import_progress WHERE organization_id = ${organization.id} AND counts->>'runId' = ${runId}`);
  if (!run.undo) {
    await query(sql`
      UPDATE import_run SET undo = ${JSON.stringify(NOTHING)}::jsonb, updated_at = now()
      WHERE organization_id = ${organization.id} AND id = ${runId}`);
    await auditRecords(batch, 'undoImport', [runId]);
  }
  const kept = await query<KeptValue>(sql`
    SELECT c.table_name AS "table", c.record_key AS key, k.field
    FROM import_change c, jsonb_to_recordset(c.kept) AS k (field text)
    WHERE c.organization_id = ${organization.id} AND c.run_id = ${runId} AND c.kept IS NOT NULL`);
  return { resource: run.resource, counts: run.undo ?? NOTHING, kept };
}

/** The number of the next batch to undo, up to `last`; null if there is none. */
async function nextBatch({ query, organization }: Batch, runId: string, last = MAX_INTEGER): Promise<number | null> {
  const [row] = await query<{ batch: number }>(sql`
    SELECT batch FROM import_change
    WHERE organization_id = ${organization.id} AND run_id = ${runId} AND kept IS NULL AND batch <= ${last}
    ORDER BY batch DESC LIMIT 1`);
  return row?.batch ?? null;
}

/** The addresses that members had before a batch. */
async function oldAddresses({ query, organization }: Batch, runId: string, number: number): Promise<string[]> {
  const rows = await query<{ address: string }>(sql`
    SELECT before->>'email_address' AS address FROM import_change
    WHERE organization_id = ${organization.id} AND run_id = ${runId} AND batch = ${number} AND table_name = 'member'
      AND before->>'email_address' <> after->>'email_address'`);
  return rows.map(({ address }) => address);
}

async function listKept({ query, organization }: Batch, runId: string): Promise<KeptRecord[]> {
  const rows = await query<Pick<KeptRecord, 'field' | 'reason'> & { table: string; key: string; after: Values }>(sql`
    SELECT c.table_name AS "table", c.record_key AS key, c.after, k.field, k.reason
    FROM import_change c, jsonb_to_recordset(c.kept) AS k (field text, reason text)
    WHERE c.organization_id = ${organization.id} AND c.run_id = ${runId} AND c.kept IS NOT NULL
    ORDER BY c.batch, c.table_name, c.record_key`);
  return rows.map(({ key, after, field, reason }) => {
    const names = [after.name ?? after.title ?? after.question ?? [after.first_name, after.last_name]].flat();
    const id = after.member_id ?? after.record_id ?? after.id ?? key;
    return { id: String(id), name: names.filter(Boolean).join(' ') || null, field, reason };
  });
}
