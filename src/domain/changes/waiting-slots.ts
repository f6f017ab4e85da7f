import type { Caller } from '../core/caller.ts';

/** The limit that is reached. */
export type FullLimit = 'key' | 'organization' | 'instance';

/**
 * The requests and streams of one instance that may wait for changes at a time: each takes a slot. An organization gets at most half of them, so that it cannot
 * stop others.
 */
export class WaitingSlots {
  private taken = 0;
  /** By the ids of keys and of organizations. */
  private readonly takenById = new Map<string, number>();

  /** @param maxPerKey the maximum number of slots of a key; infinite for no limit. */
  constructor(
    readonly max: number,
    readonly maxPerKey = Number.POSITIVE_INFINITY,
  ) {}

  /** The number of slots that are taken. */
  get count(): number {
    return this.taken;
  }

  /** Takes a slot, to be released with {@link release}. @returns the limit that is reached; undefined if none is. */
  take(caller: Caller): FullLimit | undefined {
    if (this.takenBy(caller.keyId) >= this.maxPerKey) return 'key';
    if (this.taken >= this.max) return 'instance';
    if (this.takenBy(caller.organization.id) >= Math.ceil(this.max / 2)) return 'organization';
    this.add(caller, 1);
    return undefined;
  }

  release(caller: Caller): void {
    this.add(caller, -1);
  }

  private takenBy(id: string): number {
    return this.takenById.get(id) ?? 0;
  }

  private add({ keyId, organization }: Caller, count: number): void {
    this.taken += count;
    for (const id of [keyId, organization.id]) {
      const taken = this.takenBy(id) + count;
      if (taken > 0) this.takenById.set(id, taken);
      else this.takenById.delete(id);
    }
  }
}
