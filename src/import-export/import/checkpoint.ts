import { ServiceError } from '../../domain/core/errors.ts';
import { newId } from '../../domain/values/ids.ts';
import { type Sql, sql } from '../../store/sql.ts';
import type { FileRow } from '../files/file.ts';
import type { Batch } from '../records/batch.ts';
import type { Problem, RowOutcome } from '../records/resource.ts';
import { addCounts, type CellCounts, NO_CELLS, type NumberedRow } from '../records/row.ts';
import type { RejectsFileState } from './rejects.ts';

/** A row that was read and validated. */
export interface ReadRow extends NumberedRow {
  /** The number of the row in the file, from 1. */
  readonly number: number;
  readonly bytes: number;
  readonly row: FileRow;
}

export interface Counts {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly rejected: number;
  /** Those updated rows that change the name of a member. */
  readonly renamed_rows: number;
  /** Those updated rows whose external id was stored for a record that was there before. */
  readonly linked_ids: number;
  /** Rows whose address belongs to another member, so that their member keeps the stored one. */
  readonly kept_addresses: number;
  /** New members with an address of `--fill-email`. */
  readonly filled_addresses: number;
}

/** A member whose name a row changed. */
export interface Renamed {
  readonly id: string;
  readonly line: number;
  readonly before: string;
  readonly after: string;
}

const NO_ROWS: Counts = {
  created: 0,
  updated: 0,
  unchanged: 0,
  rejected: 0,
  renamed_rows: 0,
  linked_ids: 0,
  kept_addresses: 0,
  filled_addresses: 0,
};

/** The progress of an import, stored in the transaction of each batch. */
export interface Checkpoint {
  /** Differs for each import of a file from its first row. */
  readonly runId: string;
  /** The number of transactions that stored rows. */
  readonly batches: number;
  readonly rows: number;
  readonly counts: Counts;
  /** Null while no row was rejected. */
  readonly rejects: RejectsFileState | null;
  /** The numbers of the rows, from 1, that wait for an address until all others are stored. */
  readonly waiting: readonly number[];
  readonly reasons: ReasonCounts;
  /** The first members that were renamed. */
  readonly renamed: readonly Renamed[];
  readonly cells: CellCounts;
}

/** Identifies an import: the resource, and a hash of the file and the options by which it is parsed. */
export interface ImportKey {
  readonly resource: string;
  /** The name of the file. */
  readonly file: string;
  readonly fingerprint: Buffer;
}

/** The JSON in the column `counts`: all progress except the number of rows, which has a column of its own. */
type StoredProgress = Omit<Checkpoint, 'rows'>;

/** How long an interrupted import can be continued. Later, it starts at the first row. */
const MAX_CHECKPOINT_DAYS = 30;

/**
 * Returns the checkpoint of an interrupted import of the same file, or stores one without rows. Also deletes expired
 * checkpoints of all organizations; the checkpoint of a file that was later corrected would otherwise remain forever.
 */
export async function startCheckpoint(
  { query, organization }: Batch,
  { resource, fingerprint }: ImportKey,
): Promise<Checkpoint> {
  await query(sql`
    DELETE FROM import_progress WHERE (organization_id, resource, fingerprint) IN (
      SELECT organization_id, resource, fingerprint FROM import_progress
      WHERE updated_at < now() - ${MAX_CHECKPOINT_DAYS}::int * interval '1 day' FOR UPDATE SKIP LOCKED
    )`);
  const initial: StoredProgress = {
    runId: newId('imp'),
    batches: 0,
    counts: NO_ROWS,
    rejects: null,
    waiting: [],
    reasons: {},
    renamed: [],
    cells: NO_CELLS,
  };
  // A row that exists is only returned if it is updated. That of version 1.0, whose imports had no runs, starts over.
  const isRun = sql`p.counts ? 'runId'`;
  const [row] = await query<{ rows_done: number; counts: StoredProgress }>(sql`
    INSERT INTO import_progress AS p (organization_id, resource, fingerprint, rows_done, counts)
    VALUES (${organization.id}, ${resource}, ${fingerprint}, 0, ${JSON.stringify(initial)}::jsonb)
    ON CONFLICT (organization_id, resource, fingerprint) DO UPDATE
    SET rows_done = CASE WHEN ${isRun} THEN p.rows_done ELSE 0 END,
      counts = CASE WHEN ${isRun} THEN p.counts ELSE EXCLUDED.counts END
    RETURNING rows_done, counts`);
  const { rows_done, counts } = row as NonNullable<typeof row>;
  return { ...counts, rows: rows_done };
}

/** The condition that nobody else changed a checkpoint since it was read or written. */
function isCheckpoint({ organization }: Batch, { resource, fingerprint }: ImportKey, { runId, rows }: Checkpoint): Sql {
  return sql`organization_id = ${organization.id} AND resource = ${resource} AND fingerprint = ${fingerprint}
    AND rows_done = ${rows} AND counts->>'runId' = ${runId}`;
}

/**
 * Locks the checkpoint until the transaction ends, so that concurrent runs never store the same batch. Triggers then store
 * what the transaction changes, see the table `import_change`.
 *
 * @param checkpoint as the run read or wrote it.
 * @throws {ServiceError} `unavailable` when another run imports the same file, or did so since, or undid this import.
 */
export async function lockCheckpoint(batch: Batch, key: ImportKey, checkpoint: Checkpoint): Promise<void> {
  const locked = await batch.query(sql`
    SELECT set_config('cms.import_run', ${checkpoint.runId}, true),
      set_config('cms.import_batch', ${String(checkpoint.batches + 1)}, true)
    FROM import_progress WHERE ${isCheckpoint(batch, key, checkpoint)} FOR UPDATE`);
  if (locked.length > 0) return;
  const undone = await batch.query(sql`
    SELECT FROM import_run WHERE organization_id = ${batch.organization.id} AND id = ${checkpoint.runId} AND undo IS NOT NULL`);
  const reason = undone.length > 0 ? 'the import was undone meanwhile' : 'another process is importing the same file';
  throw new ServiceError('unavailable', reason);
}

/**
 * Stores the progress of an import, and the run as soon as it has changed something. Lock the previous checkpoint first.
 *
 * @returns whether it has.
 */
export async function writeCheckpoint(
  { query, organization, actor }: Batch,
  { resource, fingerprint, file }: ImportKey,
  { rows, ...progress }: Checkpoint,
): Promise<boolean> {
  const [row] = await query<{ has_run: boolean }>(sql`
    WITH run AS (
      INSERT INTO import_run (organization_id, id, resource, file, actor, counts)
      SELECT ${organization.id}, ${progress.runId}, ${resource}, ${file}, ${actor},
        ${JSON.stringify({ rows, ...progress.counts })}::jsonb
      WHERE EXISTS (
        SELECT FROM import_change WHERE organization_id = ${organization.id} AND run_id = ${progress.runId})
      ON CONFLICT (organization_id, id) DO UPDATE SET counts = EXCLUDED.counts, updated_at = now()
      RETURNING 1
    )
    UPDATE import_progress
    SET rows_done = ${rows}, counts = ${JSON.stringify(progress)}::jsonb, updated_at = now()
    WHERE organization_id = ${organization.id} AND resource = ${resource} AND fingerprint = ${fingerprint}
    RETURNING EXISTS (SELECT FROM run) AS has_run`);
  return row?.has_run ?? false;
}

/**
 * Deletes the checkpoint of a complete import: the next one of the same file starts over. A checkpoint that another run
 * wrote since is kept.
 *
 * @returns the id of the run; null if it stored nothing.
 */
export async function removeCheckpoint(batch: Batch, key: ImportKey, checkpoint: Checkpoint): Promise<string | null> {
  const [run] = await batch.query<{ id: string }>(sql`
    WITH removed AS (DELETE FROM import_progress WHERE ${isCheckpoint(batch, key, checkpoint)} RETURNING 1)
    UPDATE import_run SET finished_at = now(), updated_at = now()
    WHERE organization_id = ${batch.organization.id} AND id = ${checkpoint.runId} AND EXISTS (SELECT FROM removed)
    RETURNING id`);
  return run?.id ?? null;
}

/** The maximum number of renamed members that are listed. */
const MAX_RENAMED = 1_000;

/** The checkpoint after rows of the file, or rows that waited. */
export function advanceCheckpoint(
  before: Checkpoint,
  rows: readonly ReadRow[],
  outcomes: readonly RowOutcome[],
  rejects: RejectsFileState | null,
): Checkpoint {
  const newRows = rows.filter(({ number }) => number > before.rows);
  const done = new Set(rows.map(({ number }) => number));
  const waiting = before.waiting.filter((number) => !done.has(number));
  const counts = { ...before.counts };
  const renamed = [...before.renamed];
  let { reasons } = before;
  for (const [at, outcome] of outcomes.entries()) {
    const { number, line } = rows[at] as ReadRow;
    if (outcome.result === 'waiting') {
      waiting.push(number);
      continue;
    }
    counts[outcome.result]++;
    if (outcome.result === 'rejected') {
      reasons = countReasons(reasons, outcome.problems);
      continue;
    }
    if (outcome.isLinked) counts.linked_ids++;
    if (outcome.address) counts[`${outcome.address}_addresses`]++;
    if (!outcome.renamed) continue;
    counts.renamed_rows++;
    if (renamed.length < MAX_RENAMED) renamed.push({ line, ...outcome.renamed });
  }
  const cells = newRows.reduce((sum, { parsed }) => addCounts(parsed.cells ?? NO_CELLS, sum), before.cells);
  const { runId } = before;
  const [batches, rowsDone] = [before.batches + 1, before.rows + newRows.length];
  return { runId, batches, rows: rowsDone, counts, rejects, waiting, reasons, renamed, cells };
}

/** The number of rows per reason. The key is the JSON of field, code and message. */
type ReasonCounts = Readonly<Record<string, number>>;

export interface Reason {
  readonly field: string;
  readonly code: string;
  /** The message, without the values of single rows. */
  readonly message: string;
  readonly rows: number;
}

/** The maximum number of distinct reasons that are counted; the others are counted together. */
const MAX_REASONS = 200;

const OTHER_REASON: readonly string[] = ['row', 'invalid_request', 'other reasons'];

/** Adds the problems of a row. Problems that differ only in their values are the same reason. */
function countReasons(counts: ReasonCounts, problems: readonly Problem[]): ReasonCounts {
  const keys = problems.map(({ field, code = 'invalid_request', message }) =>
    JSON.stringify([field, code, withoutValues(message)]),
  );
  const sum: Record<string, number> = { ...counts };
  for (const key of new Set(keys)) {
    const isCounted = Object.hasOwn(sum, key) || Object.keys(sum).length < MAX_REASONS;
    const counted = isCounted ? key : JSON.stringify(OTHER_REASON);
    sum[counted] = (sum[counted] ?? 0) + 1;
  }
  return sum;
}

/** The reasons, the most frequent one first. */
export function listReasons(counts: ReasonCounts): Reason[] {
  return Object.entries(counts)
    .map(([key, rows]) => {
      const [field, code, message] = JSON.parse(key) as [string, string, string];
      return { field, code, message, rows };
    })
    .sort((a, b) => b.rows - a.rows);
}

/** A message without quoted values, lines and names of members; the reference to an unknown record stays. */
function withoutValues(message: string): string {
  if (message.startsWith('unknown ')) return message;
  return message
    .replace(/"(?:[^"\\]|\\.)*"/g, '"…"')
    .replace(/\b(address of|belongs to|not the one of) .*?, who has/, '$1 another member, who has')
    .replace(/\bline \d+/g, 'another line')
    .replace(/\bhas \d+/g, 'has …');
}
