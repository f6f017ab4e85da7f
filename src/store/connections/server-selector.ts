import pg from 'pg';
import { wrapCertificateErrors } from './certificate-files.ts';

/**
 * A selected server. It is the same object while the same host is selected, unless a write failed because it was
 * read-only.
 */
export interface Server {
  readonly url: string;
}

/** Chooses which of several servers to connect to: the primary. */
export interface ServerSelector {
  /** The selected server; undefined before {@link select}. */
  readonly current: Server | undefined;
  /**
   * Selects the server to connect to. A single host is selected without a check. Of several hosts, selects the primary
   * that accepts writes, or else a read-only primary, but never a standby: with its outdated records, a revoked key
   * could be accepted.
   *
   * @throws {NoPrimaryError} if only standbys respond; the connection error if no server responds.
   */
  select(): Promise<Server>;
  /** Reports a failed connection: the next connection selects a server again. */
  reportFailure(server: Server): void;
  /**
   * Reports that a write failed because the server is read-only. The next connection then selects a server
   * again. Existing connections are closed even if the same URL is selected, because that address may now lead to
   * another server.
   */
  reportReadOnly(server: Server): void;
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

/** Read-only errors are ignored for this time after a selection, so that concurrent errors cause only one selection. */
const IGNORE_READ_ONLY_ERRORS_MS = 1_000;

/** Creates the selector for the servers of a URL. */
export function createServerSelector({ urls, timeoutMs, onChange }: ServerSelectorOptions): ServerSelector {
  const [singleUrl] = urls;
  let selected: Server | undefined;
  let selectedAt = 0;
  let selecting: Promise<Server> | undefined;
  let previous: Server | undefined;
  let isPreviousReadOnly = false;

  const find = async () => {
    try {
      const url = urls.length === 1 ? (singleUrl as string) : await findPrimary(urls, timeoutMs);
      if (previous && url !== previous.url) onChange?.(new URL(url).host);
      selected = url === previous?.url && !isPreviousReadOnly ? previous : { url };
      previous = selected;
      isPreviousReadOnly = false;
      selectedAt = performance.now();
      selecting = undefined;
      return selected;
    } catch (error) {
      setTimeout(() => {
        selecting = undefined;
      }, RETRY_INTERVAL_MS).unref();
      throw error;
    }
  };

  return {
    get current() {
      return selected;
    },
    async select() {
      if (selected) return selected;
      selecting ??= find();
      return selecting;
    },
    reportFailure(server) {
      if (selected === server) selected = undefined;
    },
    reportReadOnly(server) {
      if (selected !== server || performance.now() - selectedAt < IGNORE_READ_ONLY_ERRORS_MS) return;
      selected = undefined;
      isPreviousReadOnly = true;
    },
    async check(client) {
      if (urls.length > 1 && (await roleOf(client)) === 'standby')
        throw new NoPrimaryError('The server became a standby');
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
  const config = { connectionString: url, connectionTimeoutMillis: timeoutMs, query_timeout: timeoutMs };
  const client = wrapCertificateErrors(() => new pg.Client(config));
  client.on('error', () => {});
  try {
    await client.connect();
    return await roleOf(client);
  } finally {
    // Not awaited: closing the connection would hang on a frozen server.
    client.end().catch(() => {});
  }
}
