import type pg from 'pg';
import { createClient } from './certificate-files.ts';

/** Chooses which of several servers to connect to: the primary. */
export interface ServerSelector {
  /** The URL of the selected server; undefined before the first {@link select}, except for a single host. */
  readonly url: string | undefined;
  /**
   * Selects the server to connect to. A single host is selected without a check. Of several hosts, selects the primary
   * that accepts writes, or else a read-only primary, but never a standby: with its outdated records, a revoked key
   * could be accepted.
   *
   * @throws {NoPrimaryError} if only standbys respond; the connection error if no server responds.
   */
  select(): Promise<string>;
  /**
   * Checks that a new connection does not lead to a standby, because the server may have restarted as one since it was
   * selected.
   *
   * @throws {NoPrimaryError} if it does.
   */
  check(client: pg.ClientBase): Promise<void>;
}

/** No server is a primary, for example during a failover. */
export class NoPrimaryError extends Error {
  override name = 'NoPrimaryError';
}

interface ServerSelectorOptions {
  readonly urls: readonly string[];
  /** The timeout for querying the role of a server. */
  readonly timeoutMs: number;
  /** Called with host and port when another server is selected. */
  readonly onChange?: ((host: string) => void) | undefined;
}

/** After a failed selection, servers are not queried again for this time; otherwise each request would query them. */
const RETRY_INTERVAL_MS = 100;

/** Creates the selector for the servers of a URL. */
export function createServerSelector({ urls, timeoutMs, onChange }: ServerSelectorOptions): ServerSelector {
  const [singleUrl] = urls;
  if (singleUrl !== undefined && urls.length === 1)
    return { url: singleUrl, select: async () => singleUrl, check: async () => {} };
  let selected: string | undefined;
  let selecting: Promise<string> | undefined;

  const find = async () => {
    try {
      const url = await findPrimary(urls, timeoutMs);
      if (selected !== undefined && url !== selected) onChange?.(new URL(url).host);
      selected = url;
      selecting = undefined;
      return url;
    } catch (error) {
      setTimeout(() => {
        selecting = undefined;
      }, RETRY_INTERVAL_MS).unref();
      throw error;
    }
  };

  return {
    get url() {
      return selected;
    },
    select() {
      selecting ??= find();
      return selecting;
    },
    async check(client) {
      if ((await roleOf(client)) === 'standby') throw new NoPrimaryError('The server became a standby');
    },
  };
}

type Role = 'primary' | 'read-only primary' | 'standby';

async function roleOf(client: pg.ClientBase): Promise<Role> {
  const { rows } = await client.query<{ role: Role }>(`
    SELECT CASE WHEN pg_is_in_recovery() THEN 'standby'
      WHEN current_setting('transaction_read_only') = 'on' THEN 'read-only primary' ELSE 'primary' END AS role`);
  return rows[0]?.role as Role;
}

/** Queries all servers concurrently, so that one that hangs does not delay the selection. */
async function findPrimary(urls: readonly string[], timeoutMs: number): Promise<string> {
  const roles = urls.map(async (url) => ({ url, role: await queryRole(url, timeoutMs) }));
  const primary = roles.map(async (response) => {
    const { url, role } = await response;
    if (role !== 'primary') throw new NoPrimaryError(`${new URL(url).host} is a ${role}`);
    return url;
  });
  return Promise.any(primary).catch(async () => {
    const settled = await Promise.allSettled(roles);
    const responses = settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    const readOnly = responses.find(({ role }) => role === 'read-only primary');
    if (readOnly) return readOnly.url;
    if (responses.length > 0) throw new NoPrimaryError('No server is a primary');
    throw settled.find((result) => result.status === 'rejected')?.reason;
  });
}

async function queryRole(url: string, timeoutMs: number): Promise<Role> {
  const client = createClient({ connectionString: url, connectionTimeoutMillis: timeoutMs, query_timeout: timeoutMs });
  client.on('error', () => {});
  try {
    await client.connect();
    return await roleOf(client);
  } finally {
    // Not awaited: closing the connection would hang on a frozen server.
    client.end().catch(() => {});
  }
}
