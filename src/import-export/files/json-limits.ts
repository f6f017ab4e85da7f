import { MAX_DEPTH } from '../../domain/core/limits.ts';

/** Whether a JSON value is nested deeper than `MAX_DEPTH`. */
export function isTooDeep(value: unknown, depth = MAX_DEPTH): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === 0 || Object.values(value).some((item) => isTooDeep(item, depth - 1));
}

/** The message for a value that {@link isTooDeep}. */
export const TOO_DEEP = `is nested deeper than ${MAX_DEPTH} levels`;

/** The number of values in a JSON value, including itself. */
export function countValues(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((count, item) => count + countValues(item), 1);
}
