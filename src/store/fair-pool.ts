import pg from 'pg';
import type { Abort } from './abort.ts';
import { FairQueue } from './fair-queue.ts';

/** The group of what the service does by itself: looking up keys, counting, its own pages. */
export const SERVICE = '';

/** The group of those that know the pool only, as Prisma Client does. */
const OTHERS = 'others';

type Connected = Parameters<pg.Pool['connect']>[0];

/** A pool whose connections organizations share fairly, see {@link FairQueue}. */
export class FairPool extends pg.Pool {
  private readonly queue: FairQueue;

  constructor(config: pg.PoolConfig) {
    super(config);
    this.queue = new FairQueue({ slots: this.options.max, maxWaitMs: config.connectionTimeoutMillis ?? 0 });
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
   * @throws {StoreBusy} when none becomes free in time; connection errors.
   */
  async connectFor(group: string, abort?: Abort): Promise<pg.PoolClient> {
    await this.queue.take(group, abort);
    try {
      const client = await super.connect();
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

  /** Takes a connection for Prisma Client, and others that know of no groups. */
  override connect(): Promise<pg.PoolClient>;
  override connect(connected: Connected): void;
  override connect(connected?: Connected): Promise<pg.PoolClient> | undefined {
    const connecting = this.connectFor(OTHERS);
    if (!connected) return connecting;
    connecting.then(
      (client) => connected(undefined, client, client.release),
      (error: Error) => connected(error, undefined, () => {}),
    );
    return undefined;
  }
}
