import type { Abort } from './abort.ts';

/** No connection became free in time, or too much waits for one already. */
export class StoreBusy extends Error {
  override name = 'StoreBusy';
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

/**
 * Slots that groups share fairly. While others wait no group gets more than half of them, and those that wait are
 * served in turn, one of each group. Without others a group may hold more, but never all: what comes next starts at once.
 */
export class FairQueue {
  private free: number;
  /** What a group may hold while others wait. */
  private readonly share: number;
  /** What a group leaves free beyond its share. */
  private readonly reserve: number;
  private readonly held = new Map<string, number>();
  /** In the order in which groups are served; a group that was served goes to the end. */
  private readonly waiting = new Map<string, Set<Waiter>>();

  constructor(private readonly options: FairQueueOptions) {
    this.free = options.slots;
    this.share = Math.max(1, Math.floor(options.slots / 2));
    this.reserve = Math.floor(options.slots / 5);
  }

  /** How many wait for a slot. */
  get waitingCount(): number {
    let count = 0;
    for (const { size } of this.waiting.values()) count += size;
    return count;
  }

  /** Whether a group would get a slot at once. */
  hasRoomFor(group: string): boolean {
    return this.free > 0 && (this.isBelowShare(group) || this.free > this.reserve);
  }

  /**
   * Takes a slot, which {@link release} gives back.
   *
   * @returns undefined when the slot was free.
   * @throws {StoreBusy} rejects after the time allowed, or when too many of the group wait; with the reason of the
   *   abort when what waits is given up.
   */
  take(group: string, abort?: Abort): Promise<void> | undefined {
    if (!this.hasRoomFor(group)) return this.wait(group, abort);
    this.start(group);
    return undefined;
  }

  /** Gives back a slot of the group, to whoever is next. */
  release(group: string): void {
    const held = (this.held.get(group) ?? 0) - 1;
    if (held > 0) this.held.set(group, held);
    else this.held.delete(group);
    this.free += 1;
    for (let next = this.nextGroup(); next !== undefined; next = this.nextGroup()) this.serve(next);
  }

  private isBelowShare(group: string): boolean {
    return (this.held.get(group) ?? 0) < this.share;
  }

  private start(group: string): void {
    this.free -= 1;
    this.held.set(group, (this.held.get(group) ?? 0) + 1);
  }

  private nextGroup(): string | undefined {
    if (this.free === 0 || this.waiting.size === 0) return undefined;
    const groups = [...this.waiting.keys()];
    return groups.find((group) => this.isBelowShare(group)) ?? groups.find((group) => this.hasRoomFor(group));
  }

  private serve(group: string): void {
    const waiters = this.waiting.get(group) as Set<Waiter>;
    const [waiter] = waiters as unknown as [Waiter];
    this.remove(group, waiter);
    if (waiters.size > 0) {
      this.waiting.delete(group);
      this.waiting.set(group, waiters);
    }
    this.start(group);
    waiter.start();
  }

  private remove(group: string, waiter: Waiter): void {
    const waiters = this.waiting.get(group);
    waiters?.delete(waiter);
    if (waiters?.size === 0) this.waiting.delete(group);
  }

  private wait(group: string, abort: Abort | undefined): Promise<void> {
    const waiters = this.waiting.get(group) ?? new Set();
    if (waiters.size >= MAX_WAITING) return Promise.reject(new StoreBusy('Too many statements wait for a connection'));
    return new Promise((resolve, reject) => {
      const { maxWaitMs } = this.options;
      const late = () => end(() => reject(new StoreBusy('No connection became free in time')));
      const timer = maxWaitMs > 0 ? setTimeout(late, maxWaitMs) : undefined;
      const aborted = () => end(() => reject(abort?.reason));
      const waiter = { start: () => end(resolve) };
      const end = (settle: () => void) => {
        clearTimeout(timer);
        abort?.removeListener(aborted);
        this.remove(group, waiter);
        settle();
      };
      abort?.addListener(aborted);
      this.waiting.set(group, waiters.add(waiter));
    });
  }
}
