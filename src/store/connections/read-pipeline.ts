import { Socket } from 'node:net';
import type pg from 'pg';
import { FairQueue } from './fair-queue.ts';
import { type ConnectionOwner, createServerPool, FairPool, SERVICE } from './server-pool.ts';
import type { ServerSelector } from './server-selector.ts';

/** After this time, PostgreSQL cancels a read of a pipeline; those behind it wait no longer than that. */
const MAX_READ_MS = 100;

/** The reads in flight: enough for PostgreSQL to have always the next one. */
const MAX_IN_FLIGHT = 64;

/** The reads of a group in flight: the most that those of another group can have before them. */
const MAX_IN_FLIGHT_PER_GROUP = 8;

/** How long a group whose read was cancelled is excluded. */
const EXCLUSION_MS = 60_000;

interface ReadPipelineOptions {
  /** The configuration of the connection. */
  readonly config: pg.PoolConfig;
  readonly selector: ServerSelector;
}

/**
 * One connection on which short reads of all organizations are sent without waiting for the responses before them (“Pipelining”
 * in the documentation of `pg`), so that a packet carries several of them. A read that is not short delays the others: it is
 * cancelled, and its organization is excluded for a while.
 */
export class ReadPipeline {
  /** Has one connection at most; selects servers. */
  private readonly connections: FairPool;
  readonly pool: pg.Pool;
  private readonly queue: FairQueue;
  private connection: Promise<pg.PoolClient> | undefined;
  /** The socket of the connection; that of the one before it if there is none. */
  private socket: Socket | undefined;
  /** The end of the exclusion of each group, in the order in which they were excluded. */
  private readonly excluded = new Map<string, number>();

  constructor({ config, selector }: ReadPipelineOptions) {
    const stream = () => {
      this.socket = new Socket();
      return this.socket;
    };
    this.pool = createServerPool(
      { ...config, stream, max: 1, statement_timeout: MAX_READ_MS, pipeline: true },
      selector,
    );
    this.connections = new FairPool({ pool: this.pool, selector, isShared: false });
    const maxWaitMs = config.connectionTimeoutMillis ?? 0;
    this.queue = new FairQueue({ slots: MAX_IN_FLIGHT, maxWaitMs, maxPerGroup: MAX_IN_FLIGHT_PER_GROUP });
    selector.onChange(() => this.replace(this.connection));
  }

  /** Whether a group may use it. */
  accepts(group: string): boolean {
    const end = this.excluded.get(group);
    if (end === undefined) return true;
    if (performance.now() < end) return false;
    this.excluded.delete(group);
    return true;
  }

  /** Excludes a group, because a read of it was cancelled. */
  exclude(group: string): void {
    const now = performance.now();
    // The first one was excluded first.
    for (const [name, end] of this.excluded) {
      if (now < end) break;
      this.excluded.delete(name);
    }
    this.excluded.delete(group);
    this.excluded.set(group, now + EXCLUSION_MS);
  }

  /**
   * Sends a read when it is the turn of its group.
   *
   * @param mustReplace whether the connection cannot be used any more after `send`.
   * @throws the errors of `send`; {@link StoreBusyError}; connection errors.
   */
  async run<Result>(
    { group, abort }: ConnectionOwner,
    send: (client: pg.PoolClient) => Promise<Result>,
    mustReplace: (client: pg.PoolClient, error?: unknown) => boolean,
  ): Promise<Result> {
    await this.queue.take(group, { abort });
    this.connection ??= this.connect();
    const { connection } = this;
    let client: pg.PoolClient | undefined;
    let failure: unknown;
    try {
      client = await connection;
      this.shareNextPacket();
      return await send(client);
    } catch (error) {
      failure = error;
      throw error;
    } finally {
      if (client && mustReplace(client, failure)) this.replace(connection);
      this.queue.release(group);
    }
  }

  /** Holds back what is sent until the end of this turn of the event loop, because a packet costs more than a read. */
  private shareNextPacket(): void {
    const { socket } = this;
    socket?.cork();
    process.nextTick(() => socket?.uncork());
  }

  /** Closes the connection; reads in flight fail. */
  async close(): Promise<void> {
    this.replace(this.connection);
    await this.pool.end();
  }

  private connect(): Promise<pg.PoolClient> {
    const connection = this.connections.connect({ group: SERVICE });
    connection.then(
      // Of a connection that breaks between two reads.
      (client) => client.once('end', () => this.replace(connection)),
      () => this.replace(connection),
    );
    return connection;
  }

  /** Closes a connection, if it was not replaced already; the next read opens another one. */
  private replace(connection: Promise<pg.PoolClient> | undefined): void {
    if (!connection || this.connection !== connection) return;
    this.connection = undefined;
    connection.then(
      (client) => client.release(true),
      () => {},
    );
  }
}
