import { type Abort, waitFor } from '../../domain/core/context.ts';
import { MAX_PAGE_SIZE } from '../../domain/lists/page.ts';
import { POINTS_PER_MINUTE } from '../operation/cost.ts';

const MINUTE_MS = 60_000;

/**
 * Charges the points of a stream: one each minute, and for every 100 changes as many as a page of the query `changes`. When
 * they are used up, the stream pauses until the budget is renewed.
 */
export class StreamBudget {
  /** The last charge: they are made one after the other. */
  private last: Promise<void> = Promise.resolve();
  private isOwed = false;
  private changes = 0;
  private readonly timer: NodeJS.Timeout;

  /**
   * @param charge charges points; see `Authentication.chargeStream`.
   * @param points what the query costs.
   * @param abort ends the stream.
   */
  constructor(
    private readonly charge: (points: number) => Promise<number | undefined>,
    private readonly points: number,
    private readonly abort: Abort,
  ) {
    this.timer = setInterval(() => this.chargeMinute(), MINUTE_MS);
    abort.addListener(() => clearInterval(this.timer));
  }

  /**
   * Charges the points of further changes, and waits for the charge of each minute that has passed.
   *
   * @throws the reason of the abort.
   */
  pay(changes: number): Promise<void> {
    const pages = pagesOf(this.changes + changes) - pagesOf(this.changes);
    // The request was charged the first point of the first page.
    const due = pages * this.points - (this.changes === 0 ? 1 : 0);
    this.changes += changes;
    return this.add(due);
  }

  private chargeMinute(): void {
    // While the stream is paused, further minutes are free.
    if (this.isOwed) return;
    this.isOwed = true;
    const paid = () => {
      this.isOwed = false;
    };
    this.add(POINTS_PER_MINUTE).then(paid, () => {});
  }

  private add(points: number): Promise<void> {
    const charged = this.last.then(() => this.chargeWhenRenewed(points));
    this.last = charged.catch(() => {});
    return charged;
  }

  private async chargeWhenRenewed(points: number): Promise<void> {
    if (points === 0) return;
    for (;;) {
      if (this.abort.reason) throw this.abort.reason;
      const renewedInMs = await this.charge(points);
      if (renewedInMs === undefined) return;
      await waitFor(renewedInMs, this.abort);
    }
  }
}

function pagesOf(changes: number): number {
  return Math.ceil(changes / MAX_PAGE_SIZE);
}
