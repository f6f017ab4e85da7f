import type { Database } from '../../store/database.ts';
import { Prisma } from '../../store/generated/client.ts';
import { sql } from '../../store/sql.ts';
import type { Store } from '../../store/store.ts';
import { notFound } from '../core/errors.ts';
import { purgeInBatches } from '../core/writes.ts';
import { idProblem } from '../values/ids.ts';
import { readOrganization } from './organization.ts';

/** How long an import can be undone after it was last continued. */
export const UNDO_DAYS = 30;

/** An import of a file that stored something. */
export interface ImportRun {
  readonly id: string;
  readonly organization_id: string;
  /** ISO 8601, by the database's clock. */
  readonly at: string;
  readonly file: string;
  readonly resource: string;
  /** The operator. */
  readonly actor: string;
  /** `incomplete` if it failed or was interrupted, or is still running. */
  readonly state: 'complete' | 'incomplete' | 'partly_undone' | 'undone';
  readonly rows: number;
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly rejected: number;
}

/**
 * Lists the imports that stored something in the last {@link UNDO_DAYS} days, newest first.
 *
 * @param organizationId absent for all organizations.
 * @throws {ServiceError} `not_found` for the organization.
 */
export async function listImportRuns(store: Pick<Store, 'prisma'>, organizationId?: string): Promise<ImportRun[]> {
  if (organizationId !== undefined) await readOrganization(store, organizationId);
  const runs = await store.prisma.importRun.findMany({
    where: { organizationId: organizationId ?? Prisma.skip },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
  });
  return runs.map((run) => ({
    id: run.id,
    organization_id: run.organizationId,
    at: run.createdAt.toISOString(),
    file: run.file,
    resource: run.resource,
    actor: run.actor,
    state: stateOf(run),
    ...(run.counts as unknown as Pick<ImportRun, 'rows' | 'created' | 'updated' | 'unchanged' | 'rejected'>),
  }));
}

/**
 * @param organizationId absent for any organization.
 * @throws {ServiceError} `not_found`.
 */
export async function getImportRun(
  store: Pick<Store, 'prisma'>,
  id: string,
  organizationId?: string,
): Promise<ImportRun> {
  const run = (await listImportRuns(store, organizationId)).find((candidate) => candidate.id === id);
  if (!run) throw notFound('Import run', idProblem('imp', 'import run', id));
  return run;
}

function stateOf(run: { undoneAt: Date | null; undo: unknown; finishedAt: Date | null }): ImportRun['state'] {
  if (run.undoneAt) return 'undone';
  if (run.undo !== null) return 'partly_undone';
  return run.finishedAt ? 'complete' : 'incomplete';
}

/** Deletes the old values of imports after {@link UNDO_DAYS} days, and then their runs. */
export async function purgeImportRuns(db: Database): Promise<void> {
  const isOld = sql`r.updated_at <= now() - ${UNDO_DAYS}::int * interval '1 day'`;
  await purgeInBatches(
    db,
    (limit) => sql`
      WITH old AS MATERIALIZED (
        SELECT c.* FROM import_run r
        JOIN import_change c ON c.organization_id = r.organization_id AND c.run_id = r.id
        WHERE ${isOld} LIMIT ${limit} FOR UPDATE OF c SKIP LOCKED
      )
      DELETE FROM import_change c USING old
      WHERE (c.organization_id, c.run_id, c.batch, c.table_name, c.record_key)
        = (old.organization_id, old.run_id, old.batch, old.table_name, old.record_key)
      RETURNING 1`,
  );
  await db.write(sql`
    DELETE FROM import_run r WHERE ${isOld} AND NOT EXISTS (
      SELECT FROM import_change c WHERE c.organization_id = r.organization_id AND c.run_id = r.id)`);
}
