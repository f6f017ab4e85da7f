/** Returns a field of an input that is not validated yet; undefined if the input is not an object with this field. */
export function unvalidatedField(input: unknown, name: string): unknown {
  const isObject = typeof input === 'object' && input !== null;
  return isObject && Object.hasOwn(input, name) ? (input as Record<string, unknown>)[name] : undefined;
}
