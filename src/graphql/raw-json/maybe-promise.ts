/** A value or a promise for it. */
export type MaybePromise<Value> = Value | Promise<Value>;

/** Whether a value is a promise or another thenable. */
function isPromise(value: unknown): value is Promise<unknown> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === 'function';
}

/** Calls `use` with the value: synchronously, or when its promise resolves. */
export function whenResolved<Value, Result>(
  value: PromiseLike<Value> | Value,
  use: (value: Value) => MaybePromise<Result>,
): MaybePromise<Result> {
  return isPromise(value) ? (value as Promise<Value>).then(use) : use(value as Value);
}
