import type { Settings } from '../settings.ts';
import type { Store } from '../store/store.ts';
import { type Cli, printResult } from './cli.ts';
import { withStore } from './with-store.ts';

/** The action of a command that runs an operation on the store and prints its result, see {@link printResult}. */
export function storeAction<Args extends unknown[], Result>(
  cli: Cli,
  operation: (context: { readonly store: Store; readonly settings: Settings }, ...args: Args) => Promise<Result>,
  format: (result: Result, args: NoInfer<Args>) => string,
  recoveryAdvice?: (result: Result) => string,
): (...args: Args) => Promise<void> {
  return (...args) =>
    withStore(cli.environment, async (store, settings) =>
      printResult(cli, await operation({ store, settings }, ...args), (result) => format(result, args), recoveryAdvice),
    );
}
