/** Whether two values of JSON are the same, whatever the order of an object's keys. */
export function sameValue(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(sorted(one ?? null)) === JSON.stringify(sorted(other ?? null));
}

/** A value of JSON, the keys of objects in the order of their bytes. */
export function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([name, inner]) => [name, sorted(inner)]));
}
