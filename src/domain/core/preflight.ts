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
  /**
   * Of a request that returns a list with an error in place of each item that is refused: what the request would have in
   * place of each item; see {@link isStopped} for those that it would read. Undefined for other requests.
   */
  readonly items: readonly unknown[] | undefined;
}

/**
 * Runs operations up to their first statement: the scopes are collected, and inputs are validated by the same code as in
 * a request. Nothing is read or written.
 *
 * @param run calls operations with the given context; for a list of records by ids, returns an array with an error in place
 *   of each record. Called again with a missing scope as an error if such a list lacks one.
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
  const { items, error } = await outcomeOf(() => run({ ...context, db: STOPPED, preflight: recorder }));
  const refused =
    items && missingScope
      ? await outcomeOf(() => run({ ...context, db: STOPPED, preflight: REFUSING }))
      : { items, error: missingScope ?? error };
  return { calls, needed, missing, refusal: refused.error, error, items: refused.items };
}

/** Rejects calls without their scope, like a request, so that each item of a list gets its own result. */
const REFUSING: NonNullable<Context['preflight']> = {
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

/** Thrown in place of the first statement. A single error, because a stack trace takes a tenth of a preflight's time. */
const STOPPED_ERROR = new Error('A preflight runs no statement');

/** Whether an error only means that everything before the first statement succeeded. */
export function isStopped(error: unknown): boolean {
  return error === STOPPED_ERROR;
}

/** Whether an item of a list is an error of the request. */
export function isError(item: unknown): item is Error {
  return item instanceof Error && !isStopped(item);
}

/** Stops what would read or write. */
export function stop(): never {
  throw STOPPED_ERROR;
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
