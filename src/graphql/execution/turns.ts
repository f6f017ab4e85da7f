import type { MaybePromise } from './maybe-promise.ts';

/** The values that the executor completes in one turn of the event loop: a few milliseconds. Few operations have more. */
const VALUES_PER_TURN = 4_000;

/** Serializing this many characters takes as long as completing a value. */
const CHARACTERS_PER_VALUE = 100;

/**
 * Distributes the work of a large operation over several turns of the event loop, so that other requests are processed
 * in between.
 */
export class Turns {
  /** The work of this turn, in values. */
  private values = 0;
  private readonly waiting: (() => void)[] = [];
  private hasYielded = false;

  /** Whether the operation is large: its work did not fit into one turn. */
  get areSeveral(): boolean {
    return this.hasYielded;
  }

  addValues(count: number): void {
    this.values += count;
  }

  addCharacters(count: number): void {
    this.values += count / CHARACTERS_PER_VALUE;
  }

  /** Does `work` now, or in a later turn if this one is full. Delayed work is done in the order of the calls. */
  run<Result>(work: () => MaybePromise<Result>): MaybePromise<Result> {
    if (this.hasRoom()) return work();
    return new Promise((resolve, reject) => {
      this.waiting.push(() => {
        try {
          resolve(work());
        } catch (error) {
          reject(error);
        }
      });
      if (this.waiting.length === 1) this.startNext();
    });
  }

  private hasRoom(): boolean {
    return this.values < VALUES_PER_TURN;
  }

  private startNext(): void {
    this.hasYielded = true;
    setImmediate(() => {
      this.values = 0;
      let done = 0;
      for (; done < this.waiting.length && this.hasRoom(); done += 1) this.waiting[done]?.();
      this.waiting.splice(0, done);
      if (this.waiting.length > 0) this.startNext();
    });
  }
}
