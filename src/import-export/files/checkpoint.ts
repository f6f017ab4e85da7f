import { ServiceError } from '../../domain/core/errors.ts';
import { sql } from '../../store/sql.ts';
import type { Batch, ResourceName } from '../records/batch.ts';

/** How many rows came to what. */
export interface Counts {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly rejected: number;
}

/** How far an import came; stored in the transaction of each batch, so that it is never ahead or behind. */
export interface Checkpoint {
  readonly rows: number;
  readonly counts: Counts;
  /** The rejects file and its length; null as long as there is none. */
  readonly rejects: { readonly path: string; readonly bytes: number } | null;
}

/** Which import a checkpoint is of: these rows, read in this way. */
export interface ImportIdentity {
  readonly resource: ResourceName;
  readonly fingerprint: Buffer;
}

type Rows = Pick<Batch, 'rows' | 'organization'>;

/** Where an import of the same file ended that was interrupted; undefined where there was none. */
export async function readCheckpoint(
  { rows, organization }: Rows,
  { resource, fingerprint }: ImportIdentity,
): Promise<Checkpoint | undefined> {
  const [row] = await rows<{ rows_done: number; counts: Omit<Checkpoint, 'rows'> }>(sql`
    SELECT rows_done, counts FROM import_progress
    WHERE organization_id = ${organization.id} AND resource = ${resource} AND fingerprint = ${fingerprint}`);
  return row && { rows: row.rows_done, ...row.counts };
}

/**
 * Stores how far an import came.
 *
 * @param before the rows that were done before.
 * @throws {ServiceError} `unavailable` when another process imports the same file.
 */
export async function writeCheckpoint(
  { rows, organization }: Rows,
  { resource, fingerprint }: ImportIdentity,
  before: number,
  { rows: done, counts, rejects }: Checkpoint,
): Promise<void> {
  const written = await rows(sql`
    INSERT INTO import_progress (organization_id, resource, fingerprint, rows_done, counts)
    VALUES (${organization.id}, ${resource}, ${fingerprint}, ${done}, ${JSON.stringify({ counts, rejects })}::jsonb)
    ON CONFLICT (organization_id, resource, fingerprint) DO UPDATE
    SET rows_done = EXCLUDED.rows_done, counts = EXCLUDED.counts, updated_at = now()
    WHERE import_progress.rows_done = ${before}
    RETURNING 1`);
  if (written.length === 0) throw new ServiceError('unavailable', 'another process is importing the same file');
}

/** Forgets an import that ended: the next one of the same file begins anew. */
export async function removeCheckpoint(
  { rows, organization }: Rows,
  { resource, fingerprint }: ImportIdentity,
): Promise<void> {
  await rows(sql`
    DELETE FROM import_progress
    WHERE organization_id = ${organization.id} AND resource = ${resource} AND fingerprint = ${fingerprint}`);
}
