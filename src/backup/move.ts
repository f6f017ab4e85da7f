import pg from 'pg';
import { createServerSelector } from '../store/connections/server-selector.ts';
import { parseServerUrl } from '../store/connections/server-url.ts';
import { hasForeignTables } from '../store/migrations/schema-version.ts';
import { type Contents, CopyError, type CopyProgress, dump } from './dump.ts';
import { load, notEmptyMessage } from './load.ts';

/**
 * Copies all records of a database to an empty, migrated one.
 *
 * @returns the contents of both; they are compared before the transaction is committed.
 * @throws {CopyError} see {@link load}; when there is nothing to move.
 */
export function move(source: pg.Pool, target: pg.Pool, onProgress?: CopyProgress): Promise<Contents> {
  return dump(source, (parts) => load(target, parts, { onProgress }));
}

const CONNECT_TIMEOUT_MS = 5_000;
/** Longer, because the database may be busy. */
const QUERY_TIMEOUT_MS = 30_000;

/**
 * Checks that a database is an allowed target, before its schema is created.
 *
 * @throws {CopyError} when it has records, or tables of another application; connection errors.
 */
export async function assertMovable(databaseUrl: string): Promise<void> {
  const { servers } = parseServerUrl(databaseUrl);
  const server = await createServerSelector({ servers, timeoutMs: CONNECT_TIMEOUT_MS }).select();
  const timeouts = { connectionTimeoutMillis: CONNECT_TIMEOUT_MS, query_timeout: QUERY_TIMEOUT_MS };
  const client = new pg.Client({ ...server, ...timeouts });
  // A lost connection is reported by the statement; an unhandled error event would end the process.
  client.on('error', () => {});
  await client.connect();
  try {
    if (await hasForeignTables(client)) throw new CopyError(notEmptyMessage('other tables'));
    const { rowCount } = await client.query("SELECT FROM pg_class WHERE oid = to_regclass('organization')");
    if (rowCount === 0) return;
    if ((await client.query('SELECT FROM organization LIMIT 1')).rowCount) {
      throw new CopyError(notEmptyMessage('organizations'));
    }
  } finally {
    // Not awaited: closing the connection would hang on a frozen server.
    client.end().catch(() => {});
  }
}
