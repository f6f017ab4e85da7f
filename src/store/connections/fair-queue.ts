import type { Abort } from '../statements/abort.ts';

/** No connection became free in time, or too much waits for one already. */
export class StoreBusyError extends Error {
  override name = 'StoreBusyError';
}

/** How many of a group may wait: more than can be served before they time out. */
const MAX_WAITING = 1_000;

export interface FairQueueOptions {
  readonly slots: number;
  /** How long a slot is waited for; 0: for ever. */
  readonly maxWaitMs: number;
}

interface Waiter {
  readonly start: () => void;
}

/** A group that holds slots or waits for some. */
interface Group {
  held: number;
  /** When it got its last slot, counted in slots given. */
  lastServed: number;
  readonly waiters: Set<Waiter>;
}

/**
 * Slots that groups share fairly. While others wait no group gets more than half of them, and those that wait are
 * served in turn, the one first whose last slot is longest ago. Without others a group may hold more, but never all:
 * what comes next starts at once.
 */
export class FairQueue {
  private free: number;
  /** What a group may hold while others wait. */
  private readonly share: number;
  /** What a group leaves free beyond its share. */
  private readonly reserve: number;
  private readonly groups = new Map<string, Group>();
  private served = 0;
  private waiting = 0;

  constructor(private readonly options: FairQueueOptions) {
    this.free = options.slots;
    this.share = Math.max(1, Math.floor(options.slots / 2));
    this.reserve = Math.floor(options.slots / 5);
  }

  /** How many wait for a slot. */
  get waitingCount(): number {
    return this.waiting;
  }

  /** Whether a group would get a slot at once. */
  hasRoomFor(name: string): boolean {
    return this.mayStart(this.groups.get(name));
  }

  /**
   * Takes a slot, which {@link release} gives back.
   *
   * @returns undefined when the slot was free.
   * @throws {StoreBusyError} rejects after the time allowed, or when too many of the group wait; with the reason of the
   *   abort when what waits is given up.
   */
  take(name: string, abort?: Abort): Promise<void> | undefined {
    let group = this.groups.get(name);
    if (!group) {
      // After all groups that wait already, but for the one that was served last.
      group = { held: 0, lastServed: this.served - 0.5, waiters: new Set() };
      this.groups.set(name, group);
    }
    if (!this.mayStart(group)) return this.wait(name, group, abort);
    this.start(group);
    return undefined;
  }

  /** Gives back a slot of the group, to whoever is next. */
  release(name: string): void {
    const group = this.groups.get(name);
    if (group) {
      group.held -= 1;
      this.forgetUnused(name, group);
    }
    this.free += 1;
    for (let next = this.nextGroup(); next; next = this.nextGroup()) {
      const [waiter] = next.waiters as unknown as [Waiter];
      this.start(next);
      waiter.start();
    }
  }

  private isBelowShare(group: Group | undefined): boolean {
    return group === undefined || group.held < this.share;
  }

  private mayStart(group: Group | undefined): boolean {
    return this.free > 0 && (this.isBelowShare(group) || this.free > this.reserve);
  }

  private start(group: Group): void {
    this.free -= 1;
    group.held += 1;
    group.lastServed = ++this.served;
  }

  private nextGroup(): Group | undefined {
    if (this.free === 0 || this.waiting === 0) return undefined;
    let next: Group | undefined;
    for (const group of this.groups.values()) {
      if (group.waiters.size > 0 && this.mayStart(group) && (!next || this.isBefore(group, next))) next = group;
    }
    return next;
  }

  private isBefore(group: Group, other: Group): boolean {
    const isBelow = this.isBelowShare(group);
    return isBelow === this.isBelowShare(other) ? group.lastServed < other.lastServed : isBelow;
  }

  private forgetUnused(name: string, { held, waiters }: Group): void {
    if (held === 0 && waiters.size === 0) this.groups.delete(name);
  }

  private wait(name: string, group: Group, abort: Abort | undefined): Promise<void> {
    if (abort?.reason) {
      this.forgetUnused(name, group);
      return Promise.reject(abort.reason);
    }
    if (group.waiters.size >= MAX_WAITING) {
      return Promise.reject(new StoreBusyError('Too many statements wait for a connection'));
    }
    return new Promise((resolve, reject) => {
      const { maxWaitMs } = this.options;
      const late = () => end(() => reject(new StoreBusyError('No connection became free in time')));
      const timer = maxWaitMs > 0 ? setTimeout(late, maxWaitMs) : undefined;
      const aborted = () => end(() => reject(abort?.reason));
      const waiter = { start: () => end(resolve) };
      const end = (settle: () => void) => {
        clearTimeout(timer);
        abort?.removeListener(aborted);
        group.waiters.delete(waiter);
        this.waiting -= 1;
        this.forgetUnused(name, group);
        settle();
      };
      abort?.addListener(aborted);
      group.waiters.add(waiter);
      this.waiting += 1;
    });
  }
}
