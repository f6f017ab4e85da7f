import pg from 'pg';
import type { Abort } from '../statements/abort.ts';
import { connectionOf } from '../statements/driver.ts';
import { FairQueue } from './fair-queue.ts';
import type { Server, Servers } from './servers.ts';

/** The group of what the service does by itself: looking up keys, counting, its own pages. */
export const SERVICE = '';

/** The group of those that know the pool only. */
const OTHERS = 'others';

type Connected = Parameters<pg.Pool['connect']>[0];

/** SQLSTATE of a write on a server that is read-only. */
const READ_ONLY = '25006';

/** How long connecting may take to fail so that another server is tried: after that the request has no time left. */
const ANOTHER_SERVER_MS = 200;

/** A client that knows to which server it was connected. */
class ServerClient extends pg.Client {
  readonly server: Server | undefined;

  constructor(config: ServerConfig) {
    super(config);
    this.server = config.server;
  }
}
type ServerConfig = pg.ClientConfig & { server?: Server };

/**
 * A pool whose connections organizations share fairly, see {@link FairQueue}. Where it is given servers it connects to
 * the one that they select, and gives up connections to others.
 */
export class FairPool extends pg.Pool {
  private readonly queue: FairQueue;
  /** For whom {@link connect} takes a connection. */
  private group = OTHERS;

  /** @param servers which to connect to; undefined: as the configuration says. */
  constructor(
    config: pg.PoolConfig,
    private readonly servers?: Servers,
  ) {
    super({
      ...config,
      Client: ServerClient as unknown as new () => pg.ClientBase,
      async onConnect(client) {
        await servers?.check(client);
        await config.onConnect?.(client);
      },
    });
    this.queue = new FairQueue({ slots: this.options.max, maxWaitMs: config.connectionTimeoutMillis ?? 0 });
    if (servers) this.on('connect', (client) => observeReadOnly(client as unknown as ServerClient, servers));
  }

  /** How many wait for a connection. */
  get queuedCount(): number {
    return this.queue.waitingCount;
  }

  /** Whether a group would get a connection without waiting for others to give one back. */
  hasRoomFor(group: string): boolean {
    return this.queue.hasRoomFor(group);
  }

  /**
   * Takes a connection for a group: an organization's id, or {@link SERVICE}.
   *
   * @param abort gives up waiting for one.
   * @throws {StoreBusyError} when none becomes free in time; connection errors.
   */
  async connectFor(group: string, abort?: Abort): Promise<pg.PoolClient> {
    await this.queue.take(group, abort);
    try {
      const client = await (this.servers ? this.connectToServer(this.servers) : super.connect());
      const { release } = client;
      client.release = (error) => {
        release(error);
        this.queue.release(group);
      };
      return client;
    } catch (error) {
      this.queue.release(group);
      throw error;
    }
  }

  /** A connection to the selected server; those to others are closed. A server that fails is replaced at once. */
  private async connectToServer(servers: Servers): Promise<pg.PoolClient> {
    const started = performance.now();
    for (;;) {
      const server = servers.current ?? (await servers.select());
      Object.assign(this.options, { connectionString: server.url, server } satisfies ServerConfig);
      let client: pg.PoolClient;
      try {
        client = await super.connect();
      } catch (error) {
        servers.reportFailure(server);
        const isLate = performance.now() - started > ANOTHER_SERVER_MS;
        if (isLate || (await servers.select()) === server) throw error;
        continue;
      }
      if ((client as unknown as ServerClient).server === server) return client;
      client.release(true);
    }
  }

  /**
   * Runs code that takes a connection before it returns, in a way that knows of no groups.
   *
   * @param group whose connection it takes; undefined if unknown.
   */
  connectingFor<Result>(group: string | undefined, run: () => Result): Result {
    this.group = group ?? OTHERS;
    try {
      return run();
    } finally {
      this.group = OTHERS;
    }
  }

  /** Takes a connection for those that know of no groups, see {@link connectingFor}. */
  override connect(): Promise<pg.PoolClient>;
  override connect(connected: Connected): void;
  override connect(connected?: Connected): Promise<pg.PoolClient> | undefined {
    const connecting = this.connectFor(this.group);
    if (!connected) return connecting;
    connecting.then(
      (client) => connected(undefined, client, client.release),
      (error: Error) => connected(error, undefined, () => {}),
    );
    return undefined;
  }
}

function observeReadOnly(client: ServerClient, servers: Servers): void {
  connectionOf(client).on('errorMessage', ({ code }) => {
    if (code === READ_ONLY && client.server) servers.noteReadOnly(client.server);
  });
}
