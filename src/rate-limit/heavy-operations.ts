import { LRUCache } from 'lru-cache';
import { ServiceError } from '../domain/core/errors.ts';
import { FairQueue, StoreBusyError } from '../store/connections/fair-queue.ts';
import type { Abort } from '../store/statements/abort.ts';

/** The maximum time that an operation waits, for the rate and for a slot together. */
const MAX_WAIT_MS = 10_000;

/**
 * The number of values that the heavy operations of an organization may have per minute, for each point of its keys'
 * rate limit. With 120 points per minute, these operations use about a fifth of a core.
 */
const VALUES_PER_POINT = 80_000;

/**
 * An organization that was idle can immediately use as many values as its rate allows in this many milliseconds; further
 * operations wait. A longer burst could keep all processor cores busy for seconds.
 */
const BURST_MS = 500;

/**
 * After a heavy operation, other requests get as much time as it took, up to this maximum, before the next heavy
 * operation starts. An ordinary request needs several turns of the event loop.
 */
const MAX_PAUSE_MS = 100;

/** The maximum number of operations of an organization that wait to start; each one keeps its request in memory. */
const MAX_WAITING = 50;

/**
 * The maximum number of started operations of an organization that wait; each one also keeps the records that it has
 * read in memory.
 */
const MAX_STARTED_WAITING = 8;

/** The maximum number of organizations whose use of values is kept in memory. */
const MAX_ORGANIZATIONS = 10_000;

/** An operation, or the validation of a document, that takes much CPU time. */
export interface HeavyOperation {
  readonly organizationId: string;
  /** Its work: the weighted values that its response can have, or the characters of the document to be validated. */
  readonly values: number;
  /** The rate limit of the organization's keys, in points per minute. */
  readonly rateLimit: number;
  /** Ends the wait early. */
  readonly abort: Abort;
  /** Replaces `abort` until the operation starts: it is also aborted when the client disconnects. */
  readonly requestAbort?: Abort | undefined;
  /** Whether it has already started, because it was not expected to be heavy. */
  readonly hasStarted?: boolean;
}

/**
 * Runs heavy operations: several at the same time, but only one per organization, and at a limited rate for each
 * organization. Organizations take turns.
 */
export class HeavyOperations {
  private readonly queue: FairQueue;
  /**
   * The theoretical arrival time of each organization (see `chargeValues`), in milliseconds of `performance.now()`: when
   * the values charged so far will be used up at the allowed rate.
   */
  private readonly theoreticalArrivalTime = new LRUCache<string, number>({ max: MAX_ORGANIZATIONS });
  /** The number of operations that wait to start, by organization. */
  private readonly waiting = new Map<string, number>();
  /** The number of started operations that wait, by organization. */
  private readonly startedWaiting = new Map<string, number>();

  /** @param concurrent the maximum number that run at the same time, each of a different organization. */
  constructor(concurrent: number) {
    this.queue = new FairQueue({ slots: concurrent, maxWaitMs: MAX_WAIT_MS, maxPerGroup: 1 });
  }

  /**
   * Runs `work` when it is its turn.
   *
   * @throws {ServiceError} `unavailable` if too many operations of its organization wait, or if it would have to wait
   *   too long; the reason of `abort` or `requestAbort`; the errors of `work`.
   */
  async run<Result>(operation: HeavyOperation, work: () => Result | Promise<Result>): Promise<Result> {
    const { organizationId, hasStarted, requestAbort } = operation;
    const abort = (!hasStarted && requestAbort) || operation.abort;
    if (abort.reason) throw abort.reason;
    const [waiting, maxWaiting] = hasStarted ? [this.startedWaiting, MAX_STARTED_WAITING] : [this.waiting, MAX_WAITING];
    if ((waiting.get(organizationId) ?? 0) >= maxWaiting) throw tooMany();
    const deadline = performance.now() + MAX_WAIT_MS;
    const waitMs = this.chargeValues(operation, MAX_WAIT_MS);
    add(waiting, organizationId, 1);
    try {
      await wait(waitMs, abort);
      await this.queue.take(organizationId, abort, Math.max(1, deadline - performance.now()));
    } catch (error) {
      this.refundValues(operation);
      throw error instanceof StoreBusyError ? tooMany() : error;
    } finally {
      add(waiting, organizationId, -1);
    }
    const started = performance.now();
    try {
      return await work();
    } finally {
      const pauseMs = Math.min(performance.now() - started, MAX_PAUSE_MS);
      setTimeout(() => this.queue.release(organizationId), pauseMs);
    }
  }

  /** Whether the next heavy operation of an organization would have to wait. */
  mustWait(organizationId: string): boolean {
    return (this.theoreticalArrivalTime.get(organizationId) ?? 0) > performance.now() + BURST_MS;
  }

  /** Charges the values by which an operation exceeded its estimate; they delay later operations. */
  chargeUnestimatedValues(operation: Omit<HeavyOperation, 'abort'>): void {
    this.chargeValues(operation, Infinity);
  }

  /**
   * Charges the values of an operation (the generic cell rate algorithm of ITU-T I.371).
   *
   * @returns how many milliseconds to wait before it starts.
   * @throws {ServiceError} `unavailable` with the time to wait if it exceeds `maxWaitMs`; then nothing is charged.
   */
  private chargeValues(operation: Omit<HeavyOperation, 'abort'>, maxWaitMs: number): number {
    const { organizationId, values, rateLimit } = operation;
    const now = performance.now();
    const theoreticalArrivalTime = Math.max(now, this.theoreticalArrivalTime.get(organizationId) ?? 0);
    const waitMs = Math.max(0, theoreticalArrivalTime - BURST_MS - now);
    if (waitMs > maxWaitMs) throw tooMany(Math.ceil(waitMs / 1_000));
    this.theoreticalArrivalTime.set(organizationId, theoreticalArrivalTime + millisecondsOf(values, rateLimit));
    return waitMs;
  }

  /** Refunds the values of an operation that did not start. */
  private refundValues({ organizationId, values, rateLimit }: HeavyOperation): void {
    const theoreticalArrivalTime = this.theoreticalArrivalTime.get(organizationId);
    if (theoreticalArrivalTime !== undefined)
      this.theoreticalArrivalTime.set(organizationId, theoreticalArrivalTime - millisecondsOf(values, rateLimit));
  }
}

/** Adds to the count of an organization; a count of 0 is removed. */
function add(counts: Map<string, number>, organizationId: string, added: number): void {
  const count = (counts.get(organizationId) ?? 0) + added;
  if (count === 0) counts.delete(organizationId);
  else counts.set(organizationId, count);
}

/** The time in which an organization may use this many values. */
function millisecondsOf(values: number, rateLimit: number): number {
  return (values * 60_000) / (rateLimit * VALUES_PER_POINT);
}

function tooMany(retryAfterSeconds?: number): ServiceError {
  const message = 'Too many large operations are waiting; request fewer records or fields, or try again';
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
