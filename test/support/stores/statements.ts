import pg from 'pg';
import { vi } from 'vitest';

/** Periodic statements of the apps of all test files in this process. */
const PERIODIC = /api_key_usage_batch|INSERT INTO api_key_failed_request|LEFT JOIN organization_counter counter ON/;

/** The texts of the statements that are sent to the store during `work`, in order, except for the usage of keys. */
export async function statementsDuring(work: () => Promise<unknown>): Promise<string[]> {
  const query = vi.spyOn(pg.Client.prototype, 'query');
  try {
    await work();
    const texts = query.mock.calls.map(([statement]) => {
      const sent = statement as unknown as string | { readonly text: string };
      return typeof sent === 'string' ? sent : sent.text;
    });
    return texts.filter((text) => !PERIODIC.test(text));
  } finally {
    query.mockRestore();
  }
}
