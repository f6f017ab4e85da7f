import pg from 'pg';
import type { Abort } from './abort.ts';
import { wasBlocked } from './blocked-event-loop.ts';
import { FairQueue } from './fair-queue.ts';
import type { ServerSelector } from './server-selector.ts';

/**
 * A pool of connections to the selected server. When another server is selected, connections to the previous one are
 * closed: idle ones at once, those in use when they are released.
 */
export function createServerPool(config: pg.PoolConfig, selector: ServerSelector): pg.Pool {
  /** The server of each connection. */
  const servers = new WeakMap<pg.ClientBase, pg.ClientConfig | undefined>();
  const createClient = (poolConfig: pg.ClientConfig) => {
    const client = new pg.Client({ ...poolConfig, ...selector.selected });
    servers.set(client, selector.selected);
    return client;
  };
  const pool = new pg.Pool({
    ...config,
    // `new` returns the object that a constructor returns.
    Client: function Client(poolConfig: pg.ClientConfig) {
      return createClient(poolConfig);
    } as unknown as new () => pg.ClientBase,
    async onConnect(client) {
      await selector.check(client);
      await config.onConnect?.(client);
    },
  });
  // The pool replaces connections that break while idle; an unhandled error event would end the process.
  pool.on('error', () => {});
  // Errors of connections in use are reported by their current or next statement.
  pool.on('connect', (client) => client.on('error', () => {}));
  // The pool removes a connection that was ended.
  pool.on('release', (_error, client) => {
    if (servers.get(client) !== selector.selected) (client as pg.PoolClient & pg.Client).end().catch(() => {});
  });
  selector.onChange(() => {
    for (let count = pool.idleCount; count > 0; count--)
      pool.connect().then(
        (client) => client.release(),
        () => {},
      );
  });
  return pool;
}

/** The group of the service's own statements: authentication, usage counts, HTML pages. */
export const SERVICE = '';

/**
 * The connections of a group at a time. Statements that take long use a core each: with more of them, the 99th percentile of
 * the short reads of others is more than three times as long, on two cores.
 */
export const MAX_PER_GROUP = 2;

/** A failed connection is retried on another server only within this time; later, the request would time out. */
const MAX_RETRY_MS = 200;

interface FairPoolOptions {
  /** Creates the connections, see {@link createServerPool}. */
  readonly pool: pg.Pool;
  readonly selector: ServerSelector;
  /** Whether a group gets at most {@link MAX_PER_GROUP} of the connections. */
  readonly isShared: boolean;
}

/** Who takes a connection. */
export interface ConnectionOwner {
  /** An organization's id, or {@link SERVICE}. */
  readonly group: string;
  /** Ends the wait. */
  readonly abort?: Abort | undefined;
  /** The milliseconds already waited, which are deducted from the maximum wait. */
  readonly waitedMs?: number;
  /**
   * Whether it is served before the reads of its group. The writes of a group run one after another, so that each would
   * otherwise wait for all reads that were requested before it.
   */
  readonly isWriter?: boolean;
}

/** Shares the connections of a pool fairly among organizations, see {@link FairQueue}. */
export class FairPool {
  private readonly queue: FairQueue;
  /** The group of each connection in use. */
  private readonly groups = new WeakMap<pg.ClientBase, string>();
  /** Called with the seconds of each attempt to get a connection, including failed ones. */
  onWaited: ((seconds: number) => void) | undefined;

  constructor(private readonly options: FairPoolOptions) {
    const slots = this.maxConnections;
    const maxPerGroup = options.isShared ? Math.min(slots, MAX_PER_GROUP) : slots;
    this.queue = new FairQueue({ slots, maxWaitMs: this.maxWaitMs, maxPerGroup });
    options.pool.on('release', (_error, client) => {
      const group = this.groups.get(client);
      this.groups.delete(client);
      if (group !== undefined) this.queue.release(group);
    });
  }

  get maxConnections(): number {
    return this.options.pool.options.max;
  }

  /** The maximum wait for a connection; 0 for no limit. */
  get maxWaitMs(): number {
    return this.options.pool.options.connectionTimeoutMillis ?? 0;
  }

  /** The numbers of open and idle connections, and of callers that wait for one. */
  get counts(): { open: number; idle: number; waiting: number } {
    const { totalCount, idleCount } = this.options.pool;
    return { open: totalCount, idle: idleCount, waiting: this.queue.waitingCount };
  }

  /**
   * Takes a connection.
   *
   * @throws {StoreBusyError} when none becomes free in time; connection errors.
   */
  async connect(owner: ConnectionOwner): Promise<pg.PoolClient> {
    const startedAt = performance.now();
    try {
      return await this.connectInTurn(owner);
    } finally {
      this.onWaited?.((performance.now() - startedAt) / 1_000);
    }
  }

  /** Selects a server again, because a write failed on a server that is read-only. */
  reportReadOnly(): void {
    this.options.selector.select().catch(() => {});
  }

  private async connectInTurn({ group, abort, waitedMs = 0, isWriter }: ConnectionOwner): Promise<pg.PoolClient> {
    const maxWaitMs = this.maxWaitMs > 0 ? Math.max(1, this.maxWaitMs - waitedMs) : 0;
    await this.queue.take(group, { abort, maxWaitMs, isFirst: isWriter });
    try {
      const client = await this.connectToServer();
      this.groups.set(client, group);
      return client;
    } catch (error) {
      this.queue.release(group);
      throw error;
    }
  }

  /**
   * Returns a connection to the selected server; if the server fails, selects another one. A connection that only failed
   * because the event loop was blocked is tried once more.
   */
  private async connectToServer(): Promise<pg.PoolClient> {
    const { pool, selector } = this.options;
    const startedAt = performance.now();
    let mayRetryBlocked = true;
    for (;;) {
      const server = selector.selected ?? (await selector.select());
      const attemptedAt = performance.now();
      try {
        return await pool.connect();
      } catch (error) {
        if (mayRetryBlocked && this.maxWaitMs > 0 && wasBlocked(attemptedAt, this.maxWaitMs)) {
          mayRetryBlocked = false;
          continue;
        }
        const selected = selector.select();
        if (performance.now() - startedAt > MAX_RETRY_MS) {
          selected.catch(() => {});
          throw error;
        }
        if ((await selected) === server) throw error;
      }
    }
  }
}
