import type { GraphQLSchema } from 'graphql';
import type { HeavyOperations } from '../../rate-limit/heavy-operations.ts';
import type { GraphQLContext } from '../data/context.ts';
import { withTimeout } from './abort-execution.ts';
import type { MeasuredOperation } from './check-request.ts';
import { type ExecutedOperation, executeOperation } from './execute.ts';

/** An operation with more work than this can take 10 ms of CPU time, so it may have to wait for others. */
export const HEAVY_WORK = 20_000;

/** Operations with more work than this also wait while their organization has used up its budget of work. */
const MEDIUM_WORK = 2_000;

/** Where operations are executed. */
export interface Executor {
  readonly schema: GraphQLSchema;
  readonly heavyOperations: HeavyOperations;
}

/**
 * Executes an operation with raw JSON; a large one when it is the turn of its organization.
 *
 * @param rootValue see {@link executeOperation}.
 */
export function executeInTurn(
  { schema, heavyOperations }: Executor,
  { operation, variables, work }: MeasuredOperation,
  context: GraphQLContext,
  rootValue?: unknown,
): Promise<ExecutedOperation> {
  const execute = () => withTimeout(context, executeOperation(schema, operation, variables, context, rootValue));
  const isHeavy = work.amount > (heavyOperations.mustWait(work.organizationId) ? MEDIUM_WORK : HEAVY_WORK);
  if (isHeavy) return heavyOperations.run(work, execute);
  // Many operations of medium size at once would block other requests as one large operation does.
  if (work.amount > MEDIUM_WORK) heavyOperations.chargeWithoutWaiting(work);
  return execute();
}
