import { vi } from 'vitest';

/** Text whose combining marks take seconds to sort: 49,001 characters in 98 KB. */
export const SLOW_TO_NORMALIZE = `a${'\u0300'.repeat(24_500)}${'\u0316'.repeat(24_500)}`;

/** How long the texts are that are normalized while `work` is done; the longest, 0 where none is. */
export async function longestNormalized(work: () => unknown): Promise<number> {
  const normalize = vi.spyOn(String.prototype, 'normalize');
  try {
    await work();
    return Math.max(0, ...normalize.mock.contexts.map((text) => String(text).length));
  } finally {
    normalize.mockRestore();
  }
}
