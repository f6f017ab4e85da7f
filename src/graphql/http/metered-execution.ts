import type { HeavyOperation, HeavyOperations } from '../../rate-limit/heavy-operations.ts';
import type { ExecutionMeter } from '../execution/response-state.ts';
import { COMPLETED_VALUE_WEIGHT } from '../operation/limits.ts';

/** An operation with more values than this can take 10 ms of CPU time, so it may have to wait for others. */
const HEAVY_VALUES = 20_000;

/**
 * While an organization has used up its values, operations with more estimated values than this wait before they read
 * records, because they can turn out to be heavy.
 */
const POSSIBLY_HEAVY_VALUES = 2_000;

/**
 * The weight of each completed value beyond the estimate. It is doubled, because reading its record was not in the
 * estimate either.
 */
const UNESTIMATED_VALUE_WEIGHT = 2 * COMPLETED_VALUE_WEIGHT;

/**
 * Executes an operation as a heavy one if it is estimated to have many values.
 *
 * Lists without pages, such as the answers of form responses, can be much longer than estimated. Therefore, an operation
 * also counts as heavy, and may have to wait, once it has completed many values, and the organization is charged for the
 * values that exceed the estimate.
 *
 * @param estimated the operation with its estimated number of values.
 * @throws {ServiceError} the errors of {@link HeavyOperations.run} and of `execute`.
 */
export async function executeMetered<Result>(
  heavyOperations: HeavyOperations,
  estimated: HeavyOperation,
  execute: (meter: ExecutionMeter) => Promise<Result>,
): Promise<Result> {
  const mustWait = heavyOperations.mustWait(estimated.organizationId);
  const isHeavy = estimated.values > (mustWait ? POSSIBLY_HEAVY_VALUES : HEAVY_VALUES);
  let chargedValues = isHeavy ? estimated.values : 0;
  let executing: Promise<Result> | undefined;
  const meter: ExecutionMeter = {
    completedValues: 0,
    beforeTurn() {
      const values = meter.completedValues * COMPLETED_VALUE_WEIGHT;
      if (chargedValues > 0 || values <= HEAVY_VALUES) return undefined;
      chargedValues = values;
      return new Promise((resolve, reject) => {
        const resume = () => {
          resolve();
          return executing;
        };
        // After the start, `reject` has no effect; the caller handles errors of the execution.
        heavyOperations.run({ ...estimated, values: chargedValues, hasStarted: true }, resume).catch(reject);
      });
    },
  };
  const run = () => {
    executing = execute(meter);
    return executing;
  };
  try {
    return await (isHeavy ? heavyOperations.run(estimated, run) : run());
  } finally {
    const unestimated = meter.completedValues - chargedValues / COMPLETED_VALUE_WEIGHT;
    if (chargedValues > 0 && unestimated > 0)
      heavyOperations.chargeUnestimatedValues({ ...estimated, values: unestimated * UNESTIMATED_VALUE_WEIGHT });
  }
}
