import type { GraphQLSchema } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { HeavyOperations } from '../../rate-limit/heavy-operations.ts';
import { withTimeout } from '../operation/deadline.ts';
import { executeOperation } from '../operation/execute.ts';
import { type RequestState, stateOf } from '../request-state.ts';

/** An operation with more work than this can take 10 ms of CPU time, so it may have to wait for others. */
const HEAVY_WORK = 20_000;

/** Operations with more work than this also wait while their organization has used up its budget of work. */
const MEDIUM_WORK = 2_000;

/** Executes operations with raw JSON; large ones when it is the turn of their organization. */
export function useExecution(schema: GraphQLSchema, heavyOperations: HeavyOperations): Plugin {
  return {
    onExecute({ args: { contextValue }, setExecuteFn }) {
      const state = stateOf((contextValue as { request: Request }).request);
      setExecuteFn(() => executeInTurn(schema, heavyOperations, state));
    },
  };
}

function executeInTurn(schema: GraphQLSchema, heavyOperations: HeavyOperations, { context, measured }: RequestState) {
  if (!measured) throw new TypeError('The operation was not measured');
  const { operation, variables, cost, work } = measured;
  const execute = () => withTimeout(context, executeOperation(schema, operation, variables, context));
  const isHeavy = cost.values > (heavyOperations.mustWait(work.organizationId) ? MEDIUM_WORK : HEAVY_WORK);
  if (isHeavy) return heavyOperations.run(work, execute);
  // Many operations of medium size at once would block other requests as one large operation does.
  if (cost.values > MEDIUM_WORK) heavyOperations.chargeWithoutWaiting(work);
  return execute();
}
