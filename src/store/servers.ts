import pg from 'pg';

/** A server as it was found once: when servers are looked for again, the same host becomes another object. */
export interface Server {
  readonly url: string;
}

/** Chooses which of several servers to connect to: the primary. */
export interface Servers {
  /** What {@link select} gives, where it is known. */
  readonly current: Server | undefined;
  /**
   * The server to connect to now. One host is taken as it is; of several, the one that takes writes, else a primary
   * that is read-only. Never a standby: it may lag behind, and let in a key that was revoked.
   *
   * @throws {NoPrimary} when others answer only; the connection error when none does.
   */
  select(): Promise<Server>;
  /** A connection to this server failed: servers are looked for again before the next one. */
  noteFailure(server: Server): void;
  /**
   * This server is read-only: the same, and connections to it are given up even if its address remains the best one,
   * because another server may answer there now.
   */
  noteReadOnly(server: Server): void;
  /**
   * Checks a new connection: since a server was selected it may have started again as a standby.
   *
   * @throws {NoPrimary} when it is one.
   */
  check(client: pg.ClientBase): Promise<void>;
}

/** No server is a primary: none was promoted yet. */
export class NoPrimary extends Error {
  override name = 'NoPrimary';
}

interface ServersOptions {
  readonly urls: readonly string[];
  /** How long each may take to say what it is. */
  readonly timeoutMs: number;
  /** Told the host and port when it is another one than before. */
  readonly onChange?: ((host: string) => void) | undefined;
}

/** After how long servers are asked again when none was a primary: each request would ask them otherwise. */
const ASK_AGAIN_MS = 100;

/** How old a selection is at least that is given up for being read-only: every write may say so. */
const READ_ONLY_AFTER_MS = 1_000;

/** Selects among the servers of an address. */
export function createServers({ urls, timeoutMs, onChange }: ServersOptions): Servers {
  const [only] = urls;
  let selected: Server | undefined;
  let selectedAt = 0;
  let selecting: Promise<Server> | undefined;
  let previous: Server | undefined;
  let isRetired = false;

  const find = async () => {
    try {
      const url = urls.length === 1 ? (only as string) : await findPrimary(urls, timeoutMs);
      if (previous && url !== previous.url) onChange?.(new URL(url).host);
      selected = url === previous?.url && !isRetired ? previous : { url };
      previous = selected;
      isRetired = false;
      selectedAt = performance.now();
      selecting = undefined;
      return selected;
    } catch (error) {
      setTimeout(() => {
        selecting = undefined;
      }, ASK_AGAIN_MS).unref();
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
    noteFailure(server) {
      if (selected === server) selected = undefined;
    },
    noteReadOnly(server) {
      if (selected !== server || performance.now() - selectedAt < READ_ONLY_AFTER_MS) return;
      selected = undefined;
      isRetired = true;
    },
    async check(client) {
      if (urls.length > 1 && (await roleOf(client)) === 'standby') throw new NoPrimary('The server became a standby');
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

/** Asks all at once: one that does not answer holds up none. */
async function findPrimary(urls: readonly string[], timeoutMs: number): Promise<string> {
  const answers = urls.map(async (url) => ({ url, role: await askRole(url, timeoutMs) }));
  const primary = answers.map(async (answer) => {
    const { url, role } = await answer;
    if (role !== 'primary') throw new NoPrimary(`${new URL(url).host} is a ${role}`);
    return url;
  });
  return Promise.any(primary).catch(async () => {
    const settled = await Promise.allSettled(answers);
    const answered = settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    const readOnly = answered.find(({ role }) => role === 'read-only primary');
    if (readOnly) return readOnly.url;
    if (answered.length > 0) throw new NoPrimary('No server is a primary');
    throw settled.find((result) => result.status === 'rejected')?.reason;
  });
}

async function askRole(url: string, timeoutMs: number): Promise<Role> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: timeoutMs, query_timeout: timeoutMs });
  client.on('error', () => {});
  try {
    await client.connect();
    return await roleOf(client);
  } finally {
    // The answer does not wait for the farewell, which a frozen server would not take.
    client.end().catch(() => {});
  }
}
