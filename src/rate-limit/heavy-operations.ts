import { LRUCache } from 'lru-cache';
import { ServiceError } from '../domain/core/errors.ts';
import { FairQueue, StoreBusyError } from '../store/connections/fair-queue.ts';
import type { Abort } from '../store/statements/abort.ts';

const MAX_WAIT_MS = 10_000;

/**
 * How many values the heavy operations of an organization may have per minute, for each point of its keys' rate limit:
 * with 120 points, they take about a fifth of a processor core.
 */
const VALUES_PER_POINT = 80_000;

/** An idle organization can use this many milliseconds' worth of values at once; further operations wait. */
const BURST_MS = 10_000;

/**
 * Before the next heavy operation starts, others have as much time as the last one took, up to this: an ordinary request
 * needs several turns of the event loop.
 */
const MAX_PAUSE_MS = 100;

/** Maximum number of heavy operations of an organization that wait; each one keeps its request in memory. */
const MAX_WAITING = 50;

/** Maximum number of organizations whose heavy operations are remembered. */
const MAX_ORGANIZATIONS = 10_000;

/** An operation, or a part of one, that takes much processor time. */
export interface HeavyOperation {
  readonly organizationId: string;
  /** The values that its response can have; for the validation of a document, its characters. */
  readonly values: number;
  /** The rate limit of the organization's keys, in points per minute. */
  readonly rateLimit: number;
  /** Ends the wait early. */
  readonly abort: Abort;
}

/**
 * Runs heavy operations: one of each organization at a time, several in total, and at a limited rate of each organization.
 * Organizations alternate.
 */
export class HeavyOperations {
  private readonly queue: FairQueue;
  /** By organization: when its values would all be used up at the rate that it is allowed. */
  private readonly theoreticalArrivalTime = new LRUCache<string, number>({ max: MAX_ORGANIZATIONS });
  /** By organization: how many wait. */
  private readonly waiting = new Map<string, number>();

  /** @param concurrent how many run at once, each of another organization. */
  constructor(concurrent: number) {
    this.queue = new FairQueue({ slots: concurrent, maxWaitMs: MAX_WAIT_MS, maxPerGroup: 1 });
  }

  /**
   * Runs `work` when it is its turn.
   *
   * @throws {ServiceError} `unavailable` if too many of its organization wait, or its turn did not come in time; the reason of `abort`; what `work` throws.
   */
  async run<Result>(operation: HeavyOperation, work: () => Result | Promise<Result>): Promise<Result> {
    const { organizationId, abort } = operation;
    if ((this.waiting.get(organizationId) ?? 0) >= MAX_WAITING) throw tooMany();
    const waitMs = this.takeValues(operation);
    this.addWaiting(organizationId, 1);
    try {
      await wait(waitMs, abort);
      await this.queue.take(organizationId, abort);
    } catch (error) {
      this.giveBackValues(operation);
      throw error instanceof StoreBusyError ? tooMany() : error;
    } finally {
      this.addWaiting(organizationId, -1);
    }
    const started = performance.now();
    try {
      return await work();
    } finally {
      const pauseMs = Math.min(performance.now() - started, MAX_PAUSE_MS);
      setTimeout(() => this.queue.release(organizationId), pauseMs);
    }
  }

  private addWaiting(organizationId: string, count: number): void {
    const waiting = (this.waiting.get(organizationId) ?? 0) + count;
    if (waiting === 0) this.waiting.delete(organizationId);
    else this.waiting.set(organizationId, waiting);
  }

  /**
   * Takes the values of an operation (the generic cell rate algorithm of ITU-T I.371).
   *
   * @returns how many milliseconds to wait before it starts.
   * @throws {ServiceError} `unavailable` with that wait if it is too long; then nothing is taken.
   */
  private takeValues({ organizationId, values, rateLimit }: HeavyOperation): number {
    const now = performance.now();
    const theoreticalArrivalTime = Math.max(now, this.theoreticalArrivalTime.get(organizationId) ?? 0);
    const waitMs = Math.max(0, theoreticalArrivalTime - BURST_MS - now);
    if (waitMs > MAX_WAIT_MS) throw tooMany(Math.ceil(waitMs / 1_000));
    this.theoreticalArrivalTime.set(organizationId, theoreticalArrivalTime + millisecondsOf(values, rateLimit));
    return waitMs;
  }

  /** Gives back the values of an operation that did not start. */
  private giveBackValues({ organizationId, values, rateLimit }: HeavyOperation): void {
    const theoreticalArrivalTime = this.theoreticalArrivalTime.get(organizationId);
    if (theoreticalArrivalTime !== undefined)
      this.theoreticalArrivalTime.set(organizationId, theoreticalArrivalTime - millisecondsOf(values, rateLimit));
  }
}

/** How long an organization may take for this many values. */
function millisecondsOf(values: number, rateLimit: number): number {
  return (values * 60_000) / (rateLimit * VALUES_PER_POINT);
}

function tooMany(retryAfterSeconds?: number): ServiceError {
  const message = 'Too many large operations are waiting; ask for less at once, or try again';
  return new ServiceError('unavailable', message, undefined, retryAfterSeconds);
}

/** Waits. @throws the reason of `abort` as soon as it is aborted. */
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
