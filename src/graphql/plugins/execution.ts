import type { Plugin } from 'graphql-yoga';
import { type Executor, executeInTurn } from '../operation/execute-in-turn.ts';
import { stateOf } from '../request-state.ts';

/** Executes queries and mutations. */
export function useExecution(executor: Executor): Plugin {
  return {
    onExecute({ args: { contextValue }, setExecuteFn }) {
      const { measured, context } = stateOf((contextValue as { request: Request }).request);
      if (!measured) throw new TypeError('The operation was not measured');
      setExecuteFn(() => executeInTurn(executor, measured, context));
    },
  };
}
