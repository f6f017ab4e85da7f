/** A value, or a promise of it: values that are known are not delayed by a turn of the event loop. */
export type MaybePromise<Value> = Value | Promise<Value>;

/** Whether a value is a promise, or another object with `then`. */
export function isPromise(value: unknown): value is Promise<unknown> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === 'function';
}

/** Calls `use` with the value: now, or when its promise resolves. */
export function whenResolved<Value, Result>(
  value: PromiseLike<Value> | Value,
  use: (value: Value) => MaybePromise<Result>,
): MaybePromise<Result> {
  return isPromise(value) ? (value as Promise<Value>).then(use) : use(value as Value);
}
