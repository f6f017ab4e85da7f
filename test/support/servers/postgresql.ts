import pg from 'pg';

/** Whether a PostgreSQL server accepts connections to a database; takes a limited time, and never rejects. */
export async function isPostgresqlReady(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}
