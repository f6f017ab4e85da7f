import pg from 'pg';
import { parseServerUrl } from '../store/connections/server-url.ts';
import { createServers } from '../store/connections/servers.ts';
import { type Contents, CopyError, type CopyProgress, readCopy } from './dump.ts';
import { notEmpty, writeCopy } from './load.ts';

/**
 * Copies all records of one database into another, migrated and empty one; the first is only read.
 *
 * @returns what both hold: the copy is read back and compared before it is kept.
 * @throws {CopyError} see {@link writeCopy}; when there is nothing to move.
 */
export function move(source: pg.Pool, target: pg.Pool, onProgress?: CopyProgress): Promise<Contents> {
  return readCopy(source, (parts) => writeCopy(target, parts, onProgress));
}

const CONNECT_TIMEOUT_MS = 5_000;

/**
 * Looks whether a database of a server may be moved into, before anything is made there.
 *
 * @throws {CopyError} when it has records, or tables of something else; connection errors.
 */
export async function requireEmpty(databaseUrl: string): Promise<void> {
  const { url } = await createServers({
    urls: parseServerUrl(databaseUrl).urls,
    timeoutMs: CONNECT_TIMEOUT_MS,
  }).select();
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class
       WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'f')`,
    );
    const names = rows.map(({ name }) => name);
    if (names.length > 0 && !names.includes('_prisma_migrations')) throw new CopyError(notEmpty('other tables'));
    if (!names.includes('organization')) return;
    if ((await client.query('SELECT FROM organization LIMIT 1')).rowCount) {
      throw new CopyError(notEmpty('organizations'));
    }
  } finally {
    await client.end();
  }
}
