import { ServiceError } from '../domain/core/errors.ts';
import { type Abort, waitFor } from '../store/connections/abort.ts';
import { FairQueue, StoreBusyError } from '../store/connections/fair-queue.ts';

/**
 * The maximum number of operations that run at the same time. An organization has one at a time, so that it does not
 * occupy several cores with its statements and the main thread.
 */
const MAX_CONCURRENT = 2;

/** The maximum time that an operation waits, for the rate and for a slot together. */
const MAX_WAIT_MS = 10_000;

/**
 * The work that an organization's heavy operations may do per minute, for each point of the rate limit. With 120 points
 * per minute, these operations use about a fifth of a core.
 */
const WORK_PER_POINT = 80_000;

/**
 * An organization that was idle can immediately do as much work as its rate allows in this many milliseconds; further
 * operations wait. A longer burst could keep all processor cores busy for seconds.
 */
const BURST_MS = 500;

/**
 * After a heavy operation, other requests get as much time as it took, up to this maximum, before the next heavy
 * operation starts. An ordinary request needs several turns of the event loop.
 */
const MAX_PAUSE_MS = 100;

/**
 * The maximum number of operations of an organization that wait to start: as many as the default limit of a key allows
 * at once. Each one keeps its request in memory.
 */
const MAX_WAITING = 120;

/** The work of an operation, or of the validation of a document, that takes much CPU time. */
export interface OperationWork {
  readonly organizationId: string;
  /** The weighted values of the response of an operation, or the characters of the document to be validated. */
  readonly amount: number;
  /** The higher of the calling key's rate limit and the default, in points per minute. */
  readonly rateLimit: number;
  /** Ends the wait early. */
  readonly abort: Abort;
  /** Replaces `abort` until the operation starts: it is also aborted when the client disconnects. */
  readonly requestAbort?: Abort | undefined;
}

/**
 * Runs heavy operations: several at the same time, but only one per organization, and at a limited rate for each
 * organization. Organizations take turns.
 */
export class HeavyOperations {
  private readonly queue = new FairQueue({ slots: MAX_CONCURRENT, maxWaitMs: MAX_WAIT_MS, maxPerGroup: 1 });
  /**
   * The theoretical arrival time of each organization (see `chargeWork`), in milliseconds of `performance.now()`: when
   * the work charged so far will be done at the allowed rate.
   */
  private readonly theoreticalArrivalTime = new Map<string, number>();
  /** The number of operations that wait to start, by organization. */
  private readonly waiting = new Map<string, number>();

  /**
   * Executes an operation when it is its turn.
   *
   * @throws {ServiceError} `unavailable` if too many operations of its organization wait, or if it would have to wait
   *   too long; the reason of `abort` or `requestAbort`; the errors of `execute`.
   */
  async run<Result>(work: OperationWork, execute: () => Result | Promise<Result>): Promise<Result> {
    const { organizationId, requestAbort } = work;
    const abort = requestAbort ?? work.abort;
    if (abort.reason) throw abort.reason;
    const { waiting } = this;
    if ((waiting.get(organizationId) ?? 0) >= MAX_WAITING) throw tooMany();
    const deadline = performance.now() + MAX_WAIT_MS;
    const waitMs = this.chargeWork(work, MAX_WAIT_MS);
    add(waiting, organizationId, 1);
    try {
      if (waitMs > 0) await waitFor(waitMs, abort);
      await this.queue.take(organizationId, { abort, maxWaitMs: Math.max(1, deadline - performance.now()) });
    } catch (error) {
      this.refundWork(work);
      throw error instanceof StoreBusyError ? tooMany() : error;
    } finally {
      add(waiting, organizationId, -1);
    }
    const started = performance.now();
    try {
      return await execute();
    } finally {
      const pauseMs = Math.min(performance.now() - started, MAX_PAUSE_MS);
      setTimeout(() => this.queue.release(organizationId), pauseMs);
    }
  }

  /** Whether the next heavy operation of an organization would have to wait. */
  mustWait(organizationId: string): boolean {
    return (this.theoreticalArrivalTime.get(organizationId) ?? 0) > performance.now() + BURST_MS;
  }

  /** Charges work of an operation that does not wait for its turn; it delays later operations. */
  chargeWithoutWaiting(work: OperationWork): void {
    this.chargeWork(work, Infinity);
  }

  /**
   * Charges the work of an operation (the generic cell rate algorithm of ITU-T I.371).
   *
   * @returns how many milliseconds to wait before it starts.
   * @throws {ServiceError} `unavailable` with the time to wait if it exceeds `maxWaitMs`; then nothing is charged.
   */
  private chargeWork(work: OperationWork, maxWaitMs: number): number {
    const { organizationId, amount, rateLimit } = work;
    const now = performance.now();
    const theoreticalArrivalTime = Math.max(now, this.theoreticalArrivalTime.get(organizationId) ?? 0);
    const waitMs = Math.max(0, theoreticalArrivalTime - BURST_MS - now);
    if (waitMs > maxWaitMs) throw tooMany(Math.ceil(waitMs / 1_000));
    this.theoreticalArrivalTime.set(organizationId, theoreticalArrivalTime + millisecondsOf(amount, rateLimit));
    return waitMs;
  }

  /** Refunds the work of an operation that did not start. */
  private refundWork({ organizationId, amount, rateLimit }: OperationWork): void {
    const theoreticalArrivalTime = this.theoreticalArrivalTime.get(organizationId);
    if (theoreticalArrivalTime !== undefined)
      this.theoreticalArrivalTime.set(organizationId, theoreticalArrivalTime - millisecondsOf(amount, rateLimit));
  }
}

/** Adds to the count of an organization; a count of 0 is removed. */
function add(counts: Map<string, number>, organizationId: string, added: number): void {
  const count = (counts.get(organizationId) ?? 0) + added;
  if (count === 0) counts.delete(organizationId);
  else counts.set(organizationId, count);
}

/** The time in which an organization may do this amount of work. */
function millisecondsOf(amount: number, rateLimit: number): number {
  return (amount * 60_000) / (rateLimit * WORK_PER_POINT);
}

function tooMany(retryAfterSeconds?: number): ServiceError {
  const message = 'Too many large operations are waiting; request fewer records or fields, or try again';
  return new ServiceError('unavailable', message, undefined, retryAfterSeconds);
}
