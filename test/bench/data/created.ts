import pg from 'pg';

/** Deletes the records created by runs, so that every run has the same data set. */
export async function removeCreated(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('BEGIN');
    await client.query(
      `CREATE TEMP TABLE created ON COMMIT DROP AS
       SELECT m.organization_id, m.id, m.email_address FROM member m JOIN bench.progress p USING (organization_id)
       WHERE m.position > p.last_position`,
    );
    await client.query(
      'DELETE FROM member m USING created c WHERE m.organization_id = c.organization_id AND m.id = c.id',
    );
    await client.query('DELETE FROM person_organization USING created WHERE person_id = created.id');
    await client.query('DELETE FROM email_address USING created WHERE address = created.email_address');
    await client.query('DELETE FROM person USING created WHERE person.id = created.id');
    await client.query('COMMIT');
    // Rows of the audit log cannot be deleted, so the table is truncated without its trigger.
    await client.query('ALTER TABLE audit_entry DISABLE TRIGGER audit_entry_no_truncate');
    await client.query('TRUNCATE audit_entry');
    await client.query('ALTER TABLE audit_entry ENABLE TRIGGER audit_entry_no_truncate');
    await client.query('VACUUM ANALYZE member, person_organization, email_address, person');
  } finally {
    await client.end();
  }
}
