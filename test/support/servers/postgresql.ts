import pg from 'pg';

/** Whether a PostgreSQL server accepts a connection to a database now; bounded in time. Never rejects. */
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
