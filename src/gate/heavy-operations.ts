import { LRUCache } from 'lru-cache';
import { ServiceError } from '../domain/errors.ts';
import type { Abort } from '../store/abort.ts';
import { FairQueue, StoreBusy } from '../store/fair-queue.ts';

const MAX_WAIT_MS = 10_000;

/**
 * How many values the heavy operations of an organization may have per minute, for each point of its keys' rate limit:
 * with 120 points, they take about a fifth of a processor core.
 */
const VALUES_PER_POINT = 80_000;

/** An idle organization can use this many milliseconds' worth of values at once; further operations wait. */
const BURST_MS = 10_000;

/** Maximum number of organizations whose heavy operations are remembered. */
const MAX_ORGANIZATIONS = 10_000;

/** A heavy operation. */
export interface HeavyOperation {
  readonly organizationId: string;
  /** The values that its response can have. */
  readonly values: number;
  /** The rate limit of the organization's keys, in points per minute. */
  readonly rateLimit: number;
  /** Ends the wait early. */
  readonly abort: Abort;
}

/** Runs heavy operations: limits their concurrency and the rate of each organization, and alternates organizations. */
export class HeavyOperations {
  private readonly queue: FairQueue;
  /** By organization: when its values would all be used up at the rate that it is allowed. */
  private readonly usedUpAt = new LRUCache<string, number>({ max: MAX_ORGANIZATIONS });

  /** @param concurrent how many are carried out at once; one organization gets half of them while another waits. */
  constructor(concurrent: number) {
    this.queue = new FairQueue({ slots: concurrent, maxWaitMs: MAX_WAIT_MS });
  }

  /**
   * Carries out `work` when it is its turn.
   *
   * @throws {ServiceError} `unavailable` if its turn did not come in time; the reason of `abort`; what `work` throws.
   */
  async run<Result>(operation: HeavyOperation, work: () => Result | Promise<Result>): Promise<Result> {
    const { organizationId, abort } = operation;
    await wait(this.takeValues(operation), abort);
    try {
      await this.queue.take(organizationId, abort);
    } catch (error) {
      throw error instanceof StoreBusy ? tooMany() : error;
    }
    try {
      return await work();
    } finally {
      // Only then does the next one start: requests that arrived meanwhile come first.
      setImmediate(() => this.queue.release(organizationId));
    }
  }

  /**
   * Takes the values of an operation (the generic cell rate algorithm of ITU-T I.371).
   *
   * @returns how many milliseconds to wait before it starts.
   * @throws {ServiceError} `unavailable` if that is too long; then nothing is taken.
   */
  private takeValues({ organizationId, values, rateLimit }: HeavyOperation): number {
    const now = performance.now();
    const usedUpAt = Math.max(now, this.usedUpAt.get(organizationId) ?? 0);
    const waitMs = Math.max(0, usedUpAt - BURST_MS - now);
    if (waitMs > MAX_WAIT_MS) throw tooMany();
    this.usedUpAt.set(organizationId, usedUpAt + (values * 60_000) / (rateLimit * VALUES_PER_POINT));
    return waitMs;
  }
}

function tooMany(): ServiceError {
  return new ServiceError('unavailable', 'Too many large operations are waiting; ask for less at once, or try again');
}

/** @throws the reason of `abort`, as soon as it has one. */
function wait(milliseconds: number, abort: Abort): Promise<void> | undefined {
  if (milliseconds === 0) return undefined;
  return new Promise((resolve, reject) => {
    const timer = setTimeout(end, milliseconds);
    abort.addListener(end);
    function end(): void {
      clearTimeout(timer);
      abort.removeListener(end);
      if (abort.reason) reject(abort.reason);
      else resolve();
    }
  });
}
