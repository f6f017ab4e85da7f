import type { HeavyOperation, HeavyOperations } from '../../rate-limit/heavy-operations.ts';
import type { ExecutionMeter } from '../execution/response-state.ts';
import { COMPLETED_VALUE_WEIGHT } from '../operation/limits.ts';

/** An operation with more values than this can take 10 ms of CPU time, so it may have to wait for others. */
export const HEAVY_VALUES = 20_000;

/**
 * Executes an operation as a heavy one if it is estimated to have many values.
 *
 * Lists without pages, such as the answers of form responses, can be much longer than estimated. Therefore, an operation
 * also becomes a heavy one, and may have to wait, as soon as it has had many values, and the organization is charged for
 * the values that exceed the estimate.
 *
 * @param estimated with the estimated values.
 * @throws {ServiceError} the errors of {@link HeavyOperations.run} and of `execute`.
 */
export async function executeMetered<Result>(
  heavyOperations: HeavyOperations,
  estimated: HeavyOperation,
  execute: (meter: ExecutionMeter) => Promise<Result>,
): Promise<Result> {
  const isHeavy = estimated.values > HEAVY_VALUES;
  let chargedValues = isHeavy ? estimated.values : 0;
  let executing: Promise<Result> | undefined;
  const valuesOf = ({ completedValues }: ExecutionMeter) => completedValues * COMPLETED_VALUE_WEIGHT;
  const meter: ExecutionMeter = {
    completedValues: 0,
    beforePart() {
      if (chargedValues > 0 || valuesOf(meter) <= HEAVY_VALUES) return undefined;
      chargedValues = valuesOf(meter);
      return new Promise((resolve, reject) => {
        const rest = () => {
          resolve();
          return executing;
        };
        // After the start, `reject` has no effect; the caller handles errors of the execution.
        heavyOperations.run({ ...estimated, values: chargedValues, hasStarted: true }, rest).catch(reject);
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
    const values = valuesOf(meter) - chargedValues;
    if (chargedValues > 0 && values > 0) heavyOperations.addValues({ ...estimated, values });
  }
}
