import { randomBytes } from 'node:crypto';
import { type Sql, sql, sqlName } from './sql.ts';

const PREFIX = 'cms_dry_run_';

/** Schemas of dry runs that were killed are dropped after this time; no dry run takes as long. */
const MAX_AGE_SECONDS = 6 * 3_600;

/** Returns the name of a new schema for the tables of a dry run. It contains the time. */
export function newDryRunSchema(): string {
  return `${PREFIX}${now()}_${randomBytes(4).toString('hex')}`;
}

/** Drops the schemas of dry runs of this role, or those it belongs to, that were killed. @param run runs a statement, and returns its rows. */
export async function dropAbandonedDryRuns(run: (statement: Sql) => Promise<unknown[]>): Promise<void> {
  const schemas = await run(sql`
    SELECT nspname AS name FROM pg_namespace WHERE nspname ^@ ${PREFIX} AND pg_has_role(nspowner, 'USAGE')`);
  for (const { name } of schemas as { name: string }[]) {
    const createdAt = Number(name.slice(PREFIX.length).split('_')[0]);
    if (createdAt < now() - MAX_AGE_SECONDS) await run(sql`DROP SCHEMA IF EXISTS ${sqlName(name)} CASCADE`);
  }
}

function now(): number {
  return Math.floor(Date.now() / 1_000);
}
