import pg from 'pg';

/** Chooses which of several servers to connect to: the primary. */
export interface ServerSelector {
  /** The selected server; undefined before the first {@link select}, unless there is only one. */
  readonly selected: pg.ClientConfig | undefined;
  /**
   * Selects the server to connect to. A single server is selected without a check. Of several, selects the primary
   * that accepts writes, or else a read-only primary, but never a standby: with its outdated records, a revoked key
   * could be accepted.
   *
   * @throws {NoPrimaryError} if only standbys respond; the connection error if no server responds.
   */
  select(): Promise<pg.ClientConfig>;
  /**
   * Checks that a new connection does not lead to a standby, because the server may have restarted as one since it was
   * selected.
   *
   * @throws {NoPrimaryError} if it does.
   */
  check(client: pg.ClientBase): Promise<void>;
  /** Calls the listener when another server was selected. */
  onChange(listener: ServerListener): void;
}

type ServerListener = (server: pg.ClientConfig) => void;

/** No server is a primary, for example during a failover. */
export class NoPrimaryError extends Error {
  override name = 'NoPrimaryError';
}

interface ServerSelectorOptions {
  readonly servers: readonly pg.ClientConfig[];
  /** The timeout for querying the role of a server. */
  readonly timeoutMs: number;
}

/** After a failed selection, servers are not queried again for this time; otherwise each request would query them. */
const RETRY_INTERVAL_MS = 100;

/** Creates the selector for one server, or several. */
export function createServerSelector({ servers, timeoutMs }: ServerSelectorOptions): ServerSelector {
  const [single] = servers;
  if (single && servers.length === 1)
    return { selected: single, select: async () => single, check: async () => {}, onChange: () => {} };
  const listeners: ServerListener[] = [];
  let selected: pg.ClientConfig | undefined;
  let selecting: Promise<pg.ClientConfig> | undefined;

  const find = async () => {
    try {
      const primary = await findPrimary(servers, timeoutMs);
      const isChanged = selected !== undefined && primary !== selected;
      selected = primary;
      selecting = undefined;
      if (isChanged) for (const listener of listeners) listener(primary);
      return primary;
    } catch (error) {
      setTimeout(() => {
        selecting = undefined;
      }, RETRY_INTERVAL_MS).unref();
      throw error;
    }
  };

  return {
    get selected() {
      return selected;
    },
    select() {
      selecting ??= find();
      return selecting;
    },
    async check(client) {
      if ((await roleOf(client)) === 'standby') throw new NoPrimaryError('The server became a standby');
    },
    onChange: (listener) => listeners.push(listener),
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
async function findPrimary(servers: readonly pg.ClientConfig[], timeoutMs: number): Promise<pg.ClientConfig> {
  const roles = servers.map(async (server) => ({ server, role: await queryRole(server, timeoutMs) }));
  const primary = roles.map(async (response) => {
    const { server, role } = await response;
    if (role !== 'primary') throw new NoPrimaryError(`${serverName(server)} is a ${role}`);
    return server;
  });
  return Promise.any(primary).catch(async () => {
    const settled = await Promise.allSettled(roles);
    const responses = settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    const readOnly = responses.find(({ role }) => role === 'read-only primary');
    if (readOnly) return readOnly.server;
    if (responses.length > 0) throw new NoPrimaryError('No server is a primary');
    throw settled.find((result) => result.status === 'rejected')?.reason;
  });
}

/** Host and port of a server, for messages. */
export function serverName({ host = '', port }: pg.ClientConfig): string {
  return port ? `${host}:${port}` : host;
}

async function queryRole(server: pg.ClientConfig, timeoutMs: number): Promise<Role> {
  const client = new pg.Client({ ...server, connectionTimeoutMillis: timeoutMs, query_timeout: timeoutMs });
  client.on('error', () => {});
  try {
    await client.connect();
    return await roleOf(client);
  } finally {
    // Not awaited: closing the connection would hang on a frozen server.
    client.end().catch(() => {});
  }
}
