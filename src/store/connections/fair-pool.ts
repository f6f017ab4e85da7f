import pg from 'pg';
import type { Abort } from '../statements/abort.ts';
import { connectionOf, type DriverQuery } from '../statements/driver.ts';
import { wrapCertificateErrors } from './certificate-files.ts';
import { FairQueue } from './fair-queue.ts';
import type { Server, ServerSelector } from './server-selector.ts';

/** The group of the service's own statements: authentication, usage counts, pages. */
export const SERVICE = '';

/** The group of callers that use the interface of `pg.Pool`, which has no groups. */
const OTHERS = 'others';

type ConnectCallback = Parameters<pg.Pool['connect']>[0];

/** SQLSTATE of a write on a read-only server. */
const READ_ONLY = '25006';

/** A failed connection is retried on another server only within this time; later, the request would time out. */
const MAX_RETRY_MS = 200;

/** A client with the server it is connected to, and a time limit for statements. */
class ServerClient extends pg.Client {
  readonly server: Server | undefined;
  readonly #queryTimeoutMs: number | undefined;

  constructor({ query_timeout, ...config }: ServerConfig) {
    super(config);
    this.server = config.server;
    this.#queryTimeoutMs = query_timeout;
  }

  /**
   * Applies the time limit to statements that are passed as text, and to configurations without a limit;
   * `query_timeout: 0` is no limit. It is not applied to query objects, because for a query with a limit, the driver
   * sets a callback that keeps the result in memory until the next full garbage collection.
   */
  override query(query: string | Partial<DriverQuery>, ...others: unknown[]): never {
    const send = super.query as (...args: unknown[]) => never;
    if (typeof query === 'object' && query.submit) return send.call(this, query, ...others);
    const { query_timeout = this.#queryTimeoutMs, ...config } = typeof query === 'string' ? { text: query } : query;
    return send.call(this, { query_timeout, ...config }, ...others);
  }
}
type ServerConfig = pg.ClientConfig & { server?: Server };

/** A waiter for a connection in the driver's pool; missing in its types, as is the method of the pool. */
interface PendingItem {
  readonly callback: (error: Error) => void;
  readonly timedOut: boolean;
}
const { newClient } = pg.Pool.prototype as unknown as { newClient(pendingItem: PendingItem): void };

/**
 * A pool that shares its connections fairly among organizations, see {@link FairQueue}. With a `selector`, it connects
 * to the selected server and closes connections to others.
 */
export class FairPool extends pg.Pool {
  private readonly queue: FairQueue;
  /** The group for which {@link connect} takes connections. */
  private group = OTHERS;

  /** @param selector selects the server; undefined to use the configuration. */
  constructor(
    config: pg.PoolConfig,
    private readonly selector?: ServerSelector,
  ) {
    super({
      ...config,
      Client: ServerClient as unknown as new () => pg.ClientBase,
      async onConnect(client) {
        await selector?.check(client);
        await config.onConnect?.(client);
      },
    });
    this.queue = new FairQueue({ slots: this.options.max, maxWaitMs: config.connectionTimeoutMillis ?? 0 });
    if (selector) this.on('connect', (client) => observeReadOnly(client as unknown as ServerClient, selector));
  }

  /** The number of waiters for a connection. */
  get queuedCount(): number {
    return this.queue.waitingCount;
  }

  /** Whether a group would get a connection immediately. */
  hasFreeConnectionFor(group: string): boolean {
    return this.queue.hasFreeSlotFor(group);
  }

  /**
   * Takes a connection for a group: an organization's id, or {@link SERVICE}.
   *
   * @param abort aborts the wait.
   * @throws {StoreBusyError} when none becomes free in time; connection errors.
   */
  async connectFor(group: string, abort?: Abort): Promise<pg.PoolClient> {
    await this.queue.take(group, abort);
    try {
      const client = await (this.selector ? this.connectToServer(this.selector) : super.connect());
      const { release } = client;
      // Not a literal in the assignment, see "Objects that are expensive for V8" in docs/architecture.md.
      const releaseBoth = (error?: Error | boolean) => {
        release(error);
        this.queue.release(group);
      };
      client.release = releaseBoth;
      return client;
    } catch (error) {
      this.queue.release(group);
      throw error;
    }
  }

  /**
   * Returns a connection to the selected server. Closes connections to other servers; if the server fails, selects
   * another one.
   */
  private async connectToServer(selector: ServerSelector): Promise<pg.PoolClient> {
    const started = performance.now();
    for (;;) {
      const server = selector.current ?? (await selector.select());
      Object.assign(this.options, { connectionString: server.url, server } satisfies ServerConfig);
      let client: pg.PoolClient;
      try {
        client = await super.connect();
      } catch (error) {
        selector.reportFailure(server);
        const isLate = performance.now() - started > MAX_RETRY_MS;
        if (isLate || (await selector.select()) === server) throw error;
        continue;
      }
      if ((client as unknown as ServerClient).server === server) return client;
      client.release(true);
    }
  }

  /**
   * Opens a connection. The driver reads the certificate files of a URL each time, and throws if it cannot.
   *
   * The pool may call this method from a later event-loop callback, where an exception would be uncaught and end the
   * process. The error is therefore passed to the waiter's callback.
   */
  protected newClient(pendingItem: PendingItem): void {
    try {
      wrapCertificateErrors(() => newClient.call(this, pendingItem));
    } catch (error) {
      if (!pendingItem.timedOut) pendingItem.callback(error as Error);
    }
  }

  /**
   * Runs code that synchronously calls {@link connect}.
   *
   * @param group the group of the connection; undefined if unknown.
   */
  withGroup<Result>(group: string | undefined, run: () => Result): Result {
    this.group = group ?? OTHERS;
    try {
      return run();
    } finally {
      this.group = OTHERS;
    }
  }

  /** Takes a connection for the group of {@link withGroup}; the interface of `pg.Pool`. */
  override connect(): Promise<pg.PoolClient>;
  override connect(callback: ConnectCallback): void;
  override connect(callback?: ConnectCallback): Promise<pg.PoolClient> | undefined {
    const connecting = this.connectFor(this.group);
    if (!callback) return connecting;
    connecting.then(
      (client) => callback(undefined, client, client.release),
      (error: Error) => callback(error, undefined, () => {}),
    );
    return undefined;
  }
}

function observeReadOnly(client: ServerClient, selector: ServerSelector): void {
  connectionOf(client).on('errorMessage', ({ code }) => {
    if (code === READ_ONLY && client.server) selector.reportReadOnly(client.server);
  });
}
