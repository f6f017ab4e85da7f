import { MAX_DEPTH } from '../../domain/values/limits.ts';

/** Whether a JSON value is nested deeper than `MAX_DEPTH`. */
export function isTooDeep(value: unknown): boolean {
  return isDeeperThan(MAX_DEPTH, value);
}

function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((item) => isDeeperThan(levels - 1, item));
}

/** The message for a value that {@link isTooDeep}. */
export const TOO_DEEP = `is nested deeper than ${MAX_DEPTH} levels`;

/** The number of values in a JSON value, including itself. */
export function countValues(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((count, item) => count + countValues(item), 1);
}

/** Whether two JSON values are equal, regardless of key order. */
export function isJsonEqual(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(sortKeys(a ?? null)) === JSON.stringify(sortKeys(b ?? null));
}

/** A JSON value with sorted object keys. */
export function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, item]) => [name, sortKeys(item)]));
}
