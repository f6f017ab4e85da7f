/** Memoizes an asynchronous function without arguments. Failures are not memoized: the next call tries again. */
export function memoizeAsync<Value>(create: () => Promise<Value>): () => Promise<Value> {
  let created: Promise<Value> | undefined;
  return () => {
    created ??= create().catch((error: unknown) => {
      created = undefined;
      throw error;
    });
    return created;
  };
}
