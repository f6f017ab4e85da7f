import pg from 'pg';

/** The URL of another database of the same server. */
export function urlOf(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.href;
}

/** Creates the empty database of a URL, in place of an existing one. */
export async function recreateDatabase(url: string): Promise<void> {
  const name = pg.escapeIdentifier(new URL(url).pathname.slice(1));
  const client = new pg.Client({ connectionString: urlOf(url, 'postgres') });
  await client.connect();
  try {
    await client.query(`DROP DATABASE IF EXISTS ${name}`);
    await client.query(`CREATE DATABASE ${name}`);
  } finally {
    await client.end();
  }
}
