import type { Abort } from './abort.ts';
import { startTimer } from './blocked-event-loop.ts';

/** The store is overloaded, or did not respond in time. */
export class StoreBusyError extends Error {
  override name = 'StoreBusyError';
}

/** The maximum number of waiters per group: more than can be served before they time out. */
const MAX_WAITING = 1_000;

export interface FairQueueOptions {
  readonly slots: number;
  /** The maximum wait for a slot; 0 for no limit. */
  readonly maxWaitMs: number;
  /** The maximum number of slots of a group. */
  readonly maxPerGroup: number;
}

/** How a slot is taken. */
export interface TakeOptions {
  /** Ends the wait. */
  readonly abort?: Abort | undefined;
  /** The maximum wait; 0 for no limit. Default: that of the queue. */
  readonly maxWaitMs?: number;
  /**
   * Whether it is served before the other waiters of its group, except that one of these is served between two that are
   * first: otherwise, if the group gets one slot at a time, a sequence of them would delay the others without limit.
   */
  readonly isFirst?: boolean | undefined;
}

interface Waiter {
  readonly isFirst: boolean;
  readonly start: () => void;
}

/** A group that holds slots or waits for some. */
interface Group {
  held: number;
  /** The sequence number of the last slot that it got. */
  lastServed: number;
  /** Whether that slot was taken with `isFirst`. */
  servedFirst: boolean;
  waiters: Set<Waiter>;
}

/**
 * Slots that groups share fairly: a group gets a limited number of them, so that others need not wait for it, and the
 * waiting group that was served least recently is next.
 */
export class FairQueue {
  private free: number;
  private readonly groups = new Map<string, Group>();
  private served = 0;
  private waiting = 0;

  constructor(private readonly options: FairQueueOptions) {
    this.free = options.slots;
  }

  /** The number of waiters. */
  get waitingCount(): number {
    return this.waiting;
  }

  /**
   * Takes a slot, to be released with {@link release}.
   *
   * @returns undefined if a slot was free; otherwise a promise that resolves when the group gets one.
   * @throws {StoreBusyError} (rejects) after the maximum wait, or when too many of the group wait; or the reason of the
   *   abort.
   */
  take(name: string, options: TakeOptions = {}): Promise<void> | undefined {
    let group = this.groups.get(name);
    if (!group) {
      // A new group comes after all waiting groups except the one served last.
      group = { held: 0, lastServed: this.served - 0.5, servedFirst: false, waiters: new Set() };
      this.groups.set(name, group);
    }
    if (!this.mayStart(group)) return this.wait(name, group, options);
    this.start(group, options.isFirst);
    return undefined;
  }

  /** Releases a slot of the group; the next waiter gets it. */
  release(name: string): void {
    const group = this.groups.get(name);
    if (group) {
      group.held -= 1;
      this.deleteIfUnused(name, group);
    }
    this.free += 1;
    for (let next = this.nextGroup(); next; next = this.nextGroup()) {
      const [waiter] = next.waiters as unknown as [Waiter];
      this.start(next, waiter.isFirst);
      waiter.start();
    }
  }

  private mayStart(group: Group): boolean {
    return this.free > 0 && group.held < this.options.maxPerGroup;
  }

  private start(group: Group, isFirst = false): void {
    this.free -= 1;
    group.held += 1;
    group.lastServed = ++this.served;
    group.servedFirst = isFirst;
  }

  private nextGroup(): Group | undefined {
    if (this.free === 0 || this.waiting === 0) return undefined;
    let next: Group | undefined;
    for (const group of this.groups.values()) {
      if (group.waiters.size === 0 || !this.mayStart(group)) continue;
      if (!next || group.lastServed < next.lastServed) next = group;
    }
    return next;
  }

  private deleteIfUnused(name: string, { held, waiters }: Group): void {
    if (held === 0 && waiters.size === 0) this.groups.delete(name);
  }

  private wait(name: string, group: Group, options: TakeOptions): Promise<void> {
    const { abort, maxWaitMs = this.options.maxWaitMs, isFirst = false } = options;
    if (abort?.reason) {
      this.deleteIfUnused(name, group);
      return Promise.reject(abort.reason);
    }
    if (group.waiters.size >= MAX_WAITING) {
      return Promise.reject(new StoreBusyError('Too many statements of the organization wait'));
    }
    return new Promise((resolve, reject) => {
      const onTimeout = () => settleOnce(() => reject(new StoreBusyError('The wait for a connection took too long')));
      const stopTimer = maxWaitMs > 0 ? startTimer(maxWaitMs, onTimeout) : undefined;
      const onAbort = () => settleOnce(() => reject(abort?.reason));
      const waiter = { isFirst, start: () => settleOnce(resolve) };
      const settleOnce = (settle: () => void) => {
        stopTimer?.();
        abort?.removeListener(onAbort);
        group.waiters.delete(waiter);
        this.waiting -= 1;
        this.deleteIfUnused(name, group);
        settle();
      };
      abort?.addListener(onAbort);
      const [next, ...others] = isFirst ? group.waiters : [];
      if (!isFirst || !next) group.waiters.add(waiter);
      else group.waiters = new Set(group.servedFirst ? [next, waiter, ...others] : [waiter, next, ...others]);
      this.waiting += 1;
    });
  }
}
