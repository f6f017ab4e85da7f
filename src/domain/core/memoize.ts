/**
 * Returns a function that computes its result only once for each object. The result is released together with the
 * object.
 */
export function memoize<Key extends object, Value extends {}>(compute: (key: Key) => Value): (key: Key) => Value {
  const results = new WeakMap<Key, Value>();
  return (key) => {
    let result = results.get(key);
    if (result === undefined) {
      result = compute(key);
      results.set(key, result);
    }
    return result;
  };
}
