import type { HeavyOperation, HeavyOperations } from '../../rate-limit/heavy-operations.ts';
import type { ExecutionMeter } from '../execution/response-state.ts';
import { COMPLETED_VALUE_WEIGHT } from '../operation/limits.ts';

/** An operation with more work than this can take 10 ms of CPU time, so it may have to wait for others. */
const HEAVY_WORK = 20_000;

/**
 * While an organization has used up its budget of work, operations with more estimated work than this wait before they
 * read records, because they can turn out to be heavy.
 */
const POSSIBLY_HEAVY_WORK = 2_000;

/**
 * The weight of each completed value beyond the estimate. It is doubled, because reading its record was not in the
 * estimate either.
 */
const UNESTIMATED_VALUE_WEIGHT = 2 * COMPLETED_VALUE_WEIGHT;

/**
 * Executes an operation as a heavy one if it is estimated to do much work.
 *
 * Lists without pages, such as the answers of form responses, can be much longer than estimated. Therefore, an operation
 * also counts as heavy, and may have to wait, once it has completed many values, and the organization is charged for the
 * values that exceed the estimate.
 */
export class MeteredExecution<Result> {
  /** The work charged before the end of the execution; 0 unless the operation counts as heavy. */
  private chargedWork = 0;
  private executing: Promise<Result> | undefined;
  private readonly meter: ExecutionMeter = { completedValues: 0, beforeTurn: () => this.beforeTurn() };

  /** @param operation the operation with its estimated work. */
  constructor(
    private readonly heavyOperations: HeavyOperations,
    private readonly operation: HeavyOperation,
    private readonly execute: (meter: ExecutionMeter) => Promise<Result>,
  ) {}

  /** @throws {ServiceError} the errors of {@link HeavyOperations.run} and of `execute`. */
  async run(): Promise<Result> {
    const { organizationId, work } = this.operation;
    const isHeavy = work > (this.heavyOperations.mustWait(organizationId) ? POSSIBLY_HEAVY_WORK : HEAVY_WORK);
    if (isHeavy) this.chargedWork = work;
    // Many operations of this size at once would block other requests as one large operation does.
    else if (work > POSSIBLY_HEAVY_WORK) this.heavyOperations.chargeWithoutWaiting(this.operation);
    try {
      return await (isHeavy ? this.heavyOperations.run(this.operation, () => this.start()) : this.start());
    } finally {
      this.chargeUnestimatedWork();
    }
  }

  private start(): Promise<Result> {
    this.executing = this.execute(this.meter);
    return this.executing;
  }

  /** Waits if the operation turned out to be heavy. */
  private beforeTurn(): Promise<void> | undefined {
    const work = this.meter.completedValues * COMPLETED_VALUE_WEIGHT;
    if (this.chargedWork > 0 || work <= HEAVY_WORK) return undefined;
    this.chargedWork = work;
    return new Promise((resolve, reject) => {
      // Return the running execution, so that the slot is released only when it ends.
      const resume = () => {
        resolve();
        return this.executing;
      };
      // After the start, `reject` has no effect; the caller handles errors of the execution.
      this.heavyOperations.run({ ...this.operation, work, hasStarted: true }, resume).catch(reject);
    });
  }

  private chargeUnestimatedWork(): void {
    const values = this.meter.completedValues - this.chargedWork / COMPLETED_VALUE_WEIGHT;
    if (this.chargedWork > 0 && values > 0)
      this.heavyOperations.chargeWithoutWaiting({ ...this.operation, work: values * UNESTIMATED_VALUE_WEIGHT });
  }
}
