import type { MaybePromise } from './maybe-promise.ts';
import { nextTurn } from './turn-queue.ts';

/** The maximum number of values that the executor completes in the first turn. Few operations have more. */
const FIRST_VALUES = 4_000;

/** The values that the executor completes in each further turn of the event loop: one or two milliseconds. */
const VALUES_PER_TURN = 1_000;

/** Serializing this number of characters takes as long as completing one value. */
const CHARACTERS_PER_VALUE = 100;

/**
 * Distributes the work of a large operation over several turns of the event loop, so that other requests are processed
 * in between.
 */
export class Turns {
  /** The number of values that still fit into this turn. */
  private remainingValues = FIRST_VALUES;
  private readonly waiting: (() => void)[] = [];
  private hasYielded = false;

  /** @param beforeTurn called before each further turn, which waits for its promise. It must not reject. */
  constructor(private readonly beforeTurn?: () => Promise<void> | undefined) {}

  /** Whether the operation is large: its work did not fit into one turn. */
  get hasSeveralTurns(): boolean {
    return this.hasYielded;
  }

  /** Subtracts completed values from the rest of this turn. */
  addValues(count: number): void {
    this.remainingValues -= count;
  }

  /** Subtracts serialized characters from the rest of this turn. */
  addCharacters(count: number): void {
    this.remainingValues -= count / CHARACTERS_PER_VALUE;
  }

  /** Does `work` now, or in a later turn if this one is full. Delayed work is done in the order of the calls. */
  run<Result>(work: () => MaybePromise<Result>): MaybePromise<Result> {
    if (this.remainingValues > 0) return work();
    return new Promise((resolve, reject) => {
      this.waiting.push(() => {
        try {
          resolve(work());
        } catch (error) {
          reject(error);
        }
      });
      if (this.waiting.length === 1) void this.runWaiting();
    });
  }

  private async runWaiting(): Promise<void> {
    this.hasYielded = true;
    while (this.waiting.length > 0) {
      await this.beforeTurn?.();
      await nextTurn();
      this.remainingValues = VALUES_PER_TURN;
      let done = 0;
      for (; done < this.waiting.length && this.remainingValues > 0; done += 1) this.waiting[done]?.();
      this.waiting.splice(0, done);
    }
  }
}
