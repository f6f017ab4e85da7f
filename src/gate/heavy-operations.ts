import { ServiceError } from '../domain/errors.ts';
import type { Abort } from '../store/abort.ts';
import { FairQueue, StoreBusy } from '../store/fair-queue.ts';

/** How many heavy operations are carried out at once; one organization gets half of them while another waits. */
const CONCURRENT = 2;

const MAX_WAIT_MS = 10_000;

/** Carries out operations that take long, a few at a time and organization by organization in turn. */
export class HeavyOperations {
  private readonly queue = new FairQueue({ slots: CONCURRENT, maxWaitMs: MAX_WAIT_MS });

  /**
   * Carries out `work` when it is its turn.
   *
   * @param abort ends the wait early.
   * @throws {ServiceError} `unavailable` if its turn did not come in time; the reason of `abort`; what `work` throws.
   */
  async run<Result>(organizationId: string, abort: Abort, work: () => Promise<Result>): Promise<Result> {
    try {
      await this.queue.take(organizationId, abort);
    } catch (error) {
      if (!(error instanceof StoreBusy)) throw error;
      throw new ServiceError(
        'unavailable',
        'Too many large operations are waiting; ask for less at once, or try again',
      );
    }
    try {
      return await work();
    } finally {
      // Only then does the next one start: requests that arrived meanwhile come first.
      setImmediate(() => this.queue.release(organizationId));
    }
  }
}
