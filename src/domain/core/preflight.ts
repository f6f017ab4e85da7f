import type { Database } from '../../store/database.ts';
import type { Context, OperationCall } from './context.ts';
import { ServiceError } from './errors.ts';
import type { Scope } from './scopes.ts';

/** What a request would do, found without running a statement. */
export interface PreflightResult {
  /** The operations that it calls with valid inputs, in order. */
  readonly calls: readonly OperationCall[];
  /**
   * The scopes that it requires. If one of several scopes is enough: those that the key has, or all of them if it has
   * none.
   */
  readonly needed: ReadonlySet<Scope>;
  /** The required scopes that the key lacks. */
  readonly missing: ReadonlySet<Scope>;
  /** The error that the request would get before its first statement, a missing scope included. */
  readonly refusal: unknown;
  /** The error that it would get if no scope was missing. */
  readonly error: unknown;
  /**
   * The items of the result, for a request that reads a list by ids, in which each item can fail separately. An item that
   * the request would read is an error for which {@link isStopped} is true. Undefined for other requests.
   */
  readonly items: readonly unknown[] | undefined;
}

/**
 * Runs operations up to their first statement: the scopes are collected, and inputs are validated by the same code as
 * in a request. Nothing is read or written.
 *
 * @param run calls operations with the given context. For a list of records by ids, it returns an array with an error
 *   in place of each record. If a scope is missing for such a list, it is called a second time, with a context that
 *   throws missing scopes.
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
      // The request would fail with the first missing scope, but a preflight lists all of them.
      missingScope ??= error;
      for (const scope of scopes) {
        if (error) missing.add(scope);
        if (error || context.caller.scopes.has(scope)) needed.add(scope);
      }
    },
  };
  const { items, error } = await outcomeOf(() => run({ ...context, db: STOPPING_DATABASE, preflight: recorder }));
  const refused =
    items && missingScope
      ? await outcomeOf(() => run({ ...context, db: STOPPING_DATABASE, preflight: THROWING_RECORDER }))
      : { items, error: missingScope ?? error };
  return { calls, needed, missing, refusal: refused.error, error, items: refused.items };
}

/** Throws the error for a missing scope as in an ordinary request, so that each item of a list gets its own result. */
const THROWING_RECORDER: NonNullable<Context['preflight']> = {
  addCall: () => {},
  requireScopes(_scopes, error) {
    if (error) throw error;
  },
};

async function outcomeOf(run: () => Promise<unknown> | unknown): Promise<Pick<PreflightResult, 'items' | 'error'>> {
  try {
    const value = await run();
    const items: readonly unknown[] | undefined =
      Array.isArray(value) && value.some((item) => item instanceof Error) ? value : undefined;
    return { items, error: items?.find(isError) };
  } catch (error) {
    return { items: undefined, error: isStopped(error) ? undefined : error };
  }
}

/**
 * Thrown instead of running the first statement. A shared object, because creating a stack trace takes a tenth of a
 * preflight's time.
 */
const STOPPED_ERROR = new Error('A preflight runs no statement');

/** Whether an error only means that everything before the first statement succeeded. */
export function isStopped(error: unknown): boolean {
  return error === STOPPED_ERROR;
}

/** Whether an item of a list is an error of the request. */
export function isError(item: unknown): item is Error {
  return item instanceof Error && !isStopped(item);
}

/** Called instead of running a statement. @throws always, an error for which {@link isStopped} is true. */
export function stop(): never {
  throw STOPPED_ERROR;
}

/** A database that stops before its first statement. */
const STOPPING_DATABASE: Database = {
  rows: async () => stop(),
  queryUnshared: async () => stop(),
  write: async () => stop(),
  transaction: (work) => work(STOPPING_DATABASE),
  savepoint: (work) => work(),
  forRequest: () => STOPPING_DATABASE,
};

/**
 * Whether an error is one that a preflight reports as an error of the request; with any other error, the preflight
 * itself fails.
 */
export function isRefusal(error: unknown): boolean {
  return error instanceof ServiceError && !['unavailable', 'internal_error', 'rate_limited'].includes(error.code);
}
