import { ServiceError } from '../../domain/core/errors.ts';
import { sql } from '../../store/sql.ts';
import type { Batch, ResourceName } from '../records/batch.ts';

/** Numbers of rows by outcome. */
export interface Counts {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly rejected: number;
}

/** The progress of an import, stored in the transaction of each batch. */
export interface Checkpoint {
  readonly rows: number;
  readonly counts: Counts;
  /** The rejects file and its length; null while no row was rejected. */
  readonly rejects: { readonly path: string; readonly bytes: number } | null;
}

/** Identifies an import: the resource, and a hash of the file and the options by which it is parsed. */
export interface ImportKey {
  readonly resource: ResourceName;
  readonly fingerprint: Buffer;
}

type Database = Pick<Batch, 'rows' | 'organization'>;

/** The checkpoint of an interrupted import of the same file; undefined if there is none. */
export async function readCheckpoint(
  { rows, organization }: Database,
  { resource, fingerprint }: ImportKey,
): Promise<Checkpoint | undefined> {
  const [row] = await rows<{ rows_done: number; counts: Omit<Checkpoint, 'rows'> }>(sql`
    SELECT rows_done, counts FROM import_progress
    WHERE organization_id = ${organization.id} AND resource = ${resource} AND fingerprint = ${fingerprint}`);
  return row && { rows: row.rows_done, ...row.counts };
}

/**
 * Stores the progress of an import.
 *
 * @param previousRows the number of rows in the previous checkpoint.
 * @throws {ServiceError} `unavailable` when another process imports the same file.
 */
export async function writeCheckpoint(
  { rows, organization }: Database,
  { resource, fingerprint }: ImportKey,
  previousRows: number,
  { rows: done, counts, rejects }: Checkpoint,
): Promise<void> {
  const written = await rows(sql`
    INSERT INTO import_progress (organization_id, resource, fingerprint, rows_done, counts)
    VALUES (${organization.id}, ${resource}, ${fingerprint}, ${done}, ${JSON.stringify({ counts, rejects })}::jsonb)
    ON CONFLICT (organization_id, resource, fingerprint) DO UPDATE
    SET rows_done = EXCLUDED.rows_done, counts = EXCLUDED.counts, updated_at = now()
    WHERE import_progress.rows_done = ${previousRows}
    RETURNING 1`);
  if (written.length === 0) throw new ServiceError('unavailable', 'another process is importing the same file');
}

/** Deletes the checkpoint of a complete import: the next one of the same file starts over. */
export async function removeCheckpoint(
  { rows, organization }: Database,
  { resource, fingerprint }: ImportKey,
): Promise<void> {
  await rows(sql`
    DELETE FROM import_progress
    WHERE organization_id = ${organization.id} AND resource = ${resource} AND fingerprint = ${fingerprint}`);
}
