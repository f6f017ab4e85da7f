import pg from 'pg';
import { vi } from 'vitest';

/** The texts of the statements that are sent to the store while `work` runs, in order. */
export async function statementsDuring(work: () => Promise<unknown>): Promise<string[]> {
  const query = vi.spyOn(pg.Client.prototype, 'query');
  try {
    await work();
    return query.mock.calls.map(([statement]) => {
      const sent = statement as unknown as string | { readonly text: string };
      return typeof sent === 'string' ? sent : sent.text;
    });
  } finally {
    query.mockRestore();
  }
}
