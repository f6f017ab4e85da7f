import type { Database } from '../../store/database.ts';
import type { Context, OperationCall } from './context.ts';
import { ServiceError } from './errors.ts';
import type { Scope } from './scopes.ts';

/** What a request would do, found without running a statement. */
export interface PreflightResult {
  /** The operations that it calls with valid inputs, in order. */
  readonly calls: readonly OperationCall[];
  /** The scopes that it requires. Of several of which one is enough: those that the key has, or else all. */
  readonly needed: ReadonlySet<Scope>;
  /** The required scopes that the key lacks. */
  readonly missing: ReadonlySet<Scope>;
  /** The error that the request would get before its first statement, a missing scope included. */
  readonly refusal: unknown;
  /** The error that it would get if no scope was missing. */
  readonly error: unknown;
}

/**
 * Runs operations up to their first statement: the scopes are collected, and inputs are validated by the same code as in
 * a request. Nothing is read or written.
 *
 * @param run calls operations with the given context.
 */
export async function preflight(
  context: Context,
  run: (context: Context) => Promise<unknown> | unknown,
): Promise<PreflightResult> {
  const calls: OperationCall[] = [];
  const [needed, missing] = [new Set<Scope>(), new Set<Scope>()];
  let missingScope: ServiceError | undefined;
  const recorder: Context['preflight'] = {
    addCall: (call) => calls.push(call),
    requireScopes(scopes, error) {
      // After an error, the request would not come to further checks; but all missing scopes are listed.
      missingScope ??= error;
      for (const scope of scopes) {
        if (error) missing.add(scope);
        if (error || context.caller.scopes.has(scope)) needed.add(scope);
      }
    },
  };
  const error = await errorOf(() => run({ ...context, db: STOPPED, preflight: recorder }));
  return { calls, needed, missing, refusal: missingScope ?? error, error };
}

async function errorOf(run: () => Promise<unknown> | unknown): Promise<unknown> {
  try {
    await run();
    return undefined;
  } catch (error) {
    return isStopped(error) ? undefined : error;
  }
}

/** Thrown in place of the first statement. */
class StoppedError extends Error {
  override name = 'StoppedError';
}

/** Whether an error only means that everything before the first statement succeeded. */
export function isStopped(error: unknown): boolean {
  return error instanceof StoppedError;
}

/** Stops what would read or write. */
export function stop(): never {
  throw new StoppedError('A preflight runs no statement');
}

/** A database that stops before its first statement. */
const STOPPED: Database = {
  rows: async () => stop(),
  queryUnshared: async () => stop(),
  write: async () => stop(),
  transaction: (work) => work(STOPPED),
  savepoint: (work) => work(),
  forRequest: () => STOPPED,
};

/** Whether a preflight reports an error as that of the request, rather than failing with it. */
export function isRefusal(error: unknown): boolean {
  return error instanceof ServiceError && !['unavailable', 'internal_error', 'rate_limited'].includes(error.code);
}
