import pg from 'pg';
import { vi } from 'vitest';

/** Periodic writes of the apps of all test files in this process. */
const PERIODIC_WRITES = /api_key_usage_batch|INSERT INTO api_key_failed_request/;

/** The texts of the statements that are sent to the store during `work`, in order, except for the usage of keys. */
export async function statementsDuring(work: () => Promise<unknown>): Promise<string[]> {
  const query = vi.spyOn(pg.Client.prototype, 'query');
  try {
    await work();
    const texts = query.mock.calls.map(([statement]) => {
      const sent = statement as unknown as string | { readonly text: string };
      return typeof sent === 'string' ? sent : sent.text;
    });
    return texts.filter((text) => !PERIODIC_WRITES.test(text));
  } finally {
    query.mockRestore();
  }
}
