import pg from 'pg';
import type { Abort } from '../abort.ts';
import { wasBlocked } from './blocked-event-loop.ts';
import { createClient } from './certificate-files.ts';
import { FairQueue } from './fair-queue.ts';
import type { ServerSelector } from './server-selector.ts';

/** The group of the service's own statements: authentication, usage counts, pages. */
export const SERVICE = '';

/** The group of callers that use the interface of `pg.Pool`, which has no groups. */
const OTHERS = 'others';

/** A failed connection is retried on another server only within this time; later, the request would time out. */
const MAX_RETRY_MS = 200;

/**
 * A pool that shares its connections fairly among organizations, see {@link FairQueue}. With a `selector`, it connects
 * to the selected server and closes connections to others.
 */
export class FairPool extends pg.Pool {
  readonly #queue: FairQueue;
  /** The group of each connection in use. */
  readonly #groups = new WeakMap<pg.ClientBase, string>();
  readonly #selector: ServerSelector | undefined;
  /** Called with the seconds that each caller waited for a connection, also in vain. */
  onWaited: ((seconds: number) => void) | undefined;

  /**
   * @param selector selects the server; undefined to use the configuration.
   * @param isShared whether a group gets at most half of the connections.
   */
  constructor(config: pg.PoolConfig, selector?: ServerSelector, isShared = true) {
    super({
      ...config,
      Client: clientClass(selector),
      async onConnect(client) {
        await selector?.check(client);
        await config.onConnect?.(client);
      },
    });
    this.#selector = selector;
    const { max: slots, connectionTimeoutMillis: maxWaitMs = 0 } = this.options;
    this.#queue = new FairQueue({ slots, maxWaitMs, maxPerGroup: isShared ? Math.ceil(slots / 2) : slots });
    this.on('release', (_error, client) => {
      const group = this.#groups.get(client);
      this.#groups.delete(client);
      if (group !== undefined) this.#queue.release(group);
    });
  }

  /** The number of waiters for a connection. */
  get queuedCount(): number {
    return this.#queue.waitingCount;
  }

  /**
   * Takes a connection for a group: an organization's id, or {@link SERVICE}.
   *
   * @param abort aborts the wait.
   * @param waitedMs the milliseconds that the caller has waited before, by which the wait is shorter.
   * @throws {StoreBusyError} when none becomes free in time; connection errors.
   */
  async connectFor(group: string, abort?: Abort, waitedMs = 0): Promise<pg.PoolClient> {
    const startedAt = performance.now();
    try {
      return await this.#connectInTurn(group, abort, waitedMs);
    } finally {
      this.onWaited?.((performance.now() - startedAt) / 1_000);
    }
  }

  async #connectInTurn(group: string, abort: Abort | undefined, waitedMs: number): Promise<pg.PoolClient> {
    const { connectionTimeoutMillis: maxWaitMs = 0 } = this.options;
    await this.#queue.take(group, abort, maxWaitMs > 0 ? Math.max(1, maxWaitMs - waitedMs) : 0);
    try {
      const client = await this.#connectToServer();
      this.#groups.set(client, group);
      return client;
    } catch (error) {
      this.#queue.release(group);
      throw error;
    }
  }

  /** Selects a server again, because a write failed on a server that is read-only. */
  reportReadOnly(): void {
    this.#selector?.select().catch(() => {});
  }

  /**
   * Returns a connection to the selected server. Closes connections to other servers; if the server fails, selects
   * another one. A connection that only failed because the event loop was blocked is tried once more.
   */
  async #connectToServer(): Promise<pg.PoolClient> {
    const startedAt = performance.now();
    let mayRetryBlocked = true;
    for (;;) {
      const url = this.#selector && (this.#selector.url ?? (await this.#selector.select()));
      const attemptedAt = performance.now();
      try {
        const client = await super.connect();
        if (urls.get(client) === this.#selector?.url) return client;
        client.release(true);
      } catch (error) {
        const { connectionTimeoutMillis } = this.options;
        if (mayRetryBlocked && connectionTimeoutMillis && wasBlocked(attemptedAt, connectionTimeoutMillis)) {
          mayRetryBlocked = false;
          continue;
        }
        const selected = this.#selector?.select();
        if (performance.now() - startedAt > MAX_RETRY_MS) {
          selected?.catch(() => {});
          throw error;
        }
        if ((await selected) === url) throw error;
      }
    }
  }

  /** Takes a connection for no organization; the interface of `pg.Pool`. */
  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Parameters<pg.Pool['connect']>[0]): void;
  override connect(callback?: Parameters<pg.Pool['connect']>[0]): Promise<pg.PoolClient> | undefined {
    const connecting = this.connectFor(OTHERS);
    if (!callback) return connecting;
    connecting.then(
      (client) => callback(undefined, client, client.release),
      (error: Error) => callback(error, undefined, () => {}),
    );
    return undefined;
  }
}

/** The server of each client; undefined for that of the configuration. */
const urls = new WeakMap<pg.ClientBase, string | undefined>();

/** The errors of clients that could not be created. */
const creationErrors = new WeakMap<pg.ClientBase, Error>();

/** The error of creating a client, such as that of a certificate file; undefined if there is none. */
function creationError(config: pg.ClientConfig): Error | undefined {
  try {
    createClient(config);
    return undefined;
  } catch (error) {
    return error as Error;
  }
}

/**
 * Returns the class of a pool's clients, which connect to the selected server. The driver reads the certificate files of a
 * URL in the constructor of each client, where the pool cannot handle an error; such a client therefore fails to connect.
 */
function clientClass(selector: ServerSelector | undefined): new () => pg.ClientBase {
  return class extends pg.Client {
    constructor(config: pg.ClientConfig = {}) {
      const url = selector?.url;
      const configOfServer = url === undefined ? config : { ...config, connectionString: url };
      const error = creationError(configOfServer);
      super(error ? {} : configOfServer);
      urls.set(this, url);
      if (error) creationErrors.set(this, error);
    }

    override connect(): Promise<pg.Client>;
    override connect(callback: (error: Error) => void): void;
    override connect(callback?: (error: Error) => void): Promise<pg.Client> | undefined {
      const error = creationErrors.get(this);
      if (!error) return callback ? (super.connect(callback) as undefined) : super.connect();
      if (!callback) return Promise.reject(error);
      process.nextTick(callback, error);
      return undefined;
    }
  };
}
