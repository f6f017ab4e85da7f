import type { MaybePromise } from './maybe-promise.ts';

/**
 * The work of an operation in one turn of the event loop, as values that the executor completes: a few milliseconds.
 * Only large operations reach it.
 */
const WORK_PER_TURN = 4_000;

/** So many characters of a response take as long as completing a value. */
const CHARACTERS_PER_VALUE = 100;

/**
 * Distributes the work of a large operation over several turns of the event loop, so that other requests are processed
 * in between.
 */
export class Turns {
  private work = 0;
  private readonly waiting: (() => void)[] = [];
  private isStarted = false;

  /** Whether the operation is large: it did not do all of its work in one turn. */
  get areSeveral(): boolean {
    return this.isStarted;
  }

  addValues(count: number): void {
    this.work += count;
  }

  addCharacters(count: number): void {
    this.work += count / CHARACTERS_PER_VALUE;
  }

  /** Does `work` now, or in a later turn if this one has no time left. Delayed work is done in the order of the calls. */
  run<Result>(work: () => MaybePromise<Result>): MaybePromise<Result> {
    if (this.hasTime()) return work();
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

  private hasTime(): boolean {
    return this.work < WORK_PER_TURN;
  }

  private startNext(): void {
    this.isStarted = true;
    setImmediate(() => {
      this.work = 0;
      let done = 0;
      for (; done < this.waiting.length && this.hasTime(); done += 1) this.waiting[done]?.();
      this.waiting.splice(0, done);
      if (this.waiting.length > 0) this.startNext();
    });
  }
}
