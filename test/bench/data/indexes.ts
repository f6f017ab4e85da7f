import type pg from 'pg';
import type { Progress } from '../report/progress.ts';

/** The tables with at least one row per member. */
const LARGE_TABLES = ['person', 'email_address', 'person_organization', 'member', 'member_tag'];

/** Drops the indexes of the large tables that belong to no constraint; {@link buildIndexes} recreates them. */
export async function postponeIndexes(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `INSERT INTO bench.postponed_index (name, definition)
     SELECT indexrelid::regclass::text, pg_get_indexdef(indexrelid) FROM pg_index
     WHERE indrelid = ANY ($1::regclass[]) AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid)
     RETURNING name`,
    [LARGE_TABLES],
  );
  for (const { name } of rows) await client.query(`DROP INDEX ${name}`);
}

/** Creates the indexes that {@link postponeIndexes} dropped. */
export async function buildIndexes(client: pg.Client, progress: Progress): Promise<void> {
  await client.query(`SET maintenance_work_mem = '512MB'`);
  const { rows } = await client.query<{ name: string; definition: string }>(
    'SELECT name, definition FROM bench.postponed_index ORDER BY name',
  );
  for (const { name, definition } of rows) {
    progress.note(`building ${name}`);
    await client.query('BEGIN');
    await client.query(definition);
    await client.query('DELETE FROM bench.postponed_index WHERE name = $1', [name]);
    await client.query('COMMIT');
  }
}
