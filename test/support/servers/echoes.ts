import type { Database } from '../../../src/store/database.ts';
import { sql } from '../../../src/store/sql.ts';

/**
 * Sends statements at once that each give back their own parameter, of several types and lengths.
 *
 * @returns those that got back anything else.
 */
export async function echoes(db: Database, name: string, count: number): Promise<unknown[]> {
  const wrong = await Promise.all(
    Array.from({ length: count }, async (_, n) => {
      const text = `${name}-${n}-${'x'.repeat((n % 7) * 997)}`;
      const [row] =
        n % 2
          ? await db.rows<{ text: string; n: number }>(sql`SELECT ${text}::text AS text, ${n}::int AS n`)
          : await db.rows<{ text: string; n: number }>(sql`SELECT ${n}::int AS n, ${text}::text AS text`);
      return row?.text === text && row.n === n ? [] : [{ sent: { text, n }, got: row }];
    }),
  );
  return wrong.flat();
}
