// Also used by child processes, which do not compile TypeScript.

/** @type {typeof import('./echoes.d.mts').echoes} */
export async function echoes(db, name, count) {
  const wrong = await Promise.all(
    Array.from({ length: count }, async (_, n) => {
      const text = `${name}-${n}-${'x'.repeat((n % 7) * 997)}`;
      const [row] = await db.rows(
        n % 2
          ? { text: 'SELECT $1::text AS text, $2::int AS n', values: [text, n] }
          : { text: 'SELECT $1::int AS n, $2::text AS text', values: [n, text] },
      );
      return row?.text === text && row.n === n ? [] : [{ sent: { text, n }, got: row }];
    }),
  );
  return wrong.flat();
}
