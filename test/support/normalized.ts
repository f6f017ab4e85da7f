import { vi } from 'vitest';

/** Text whose combining marks take seconds to sort: 49,001 characters in 98 KB. */
export const SLOW_TO_NORMALIZE = `a${'\u0300'.repeat(24_500)}${'\u0316'.repeat(24_500)}`;

/** The maximum length of the texts that are normalized during `work`; 0 if none is. */
export async function longestNormalized(work: () => unknown): Promise<number> {
  const normalize = vi.spyOn(String.prototype, 'normalize');
  try {
    await work();
    return Math.max(0, ...normalize.mock.contexts.map((text) => String(text).length));
  } finally {
    normalize.mockRestore();
  }
}
