import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { FairPool } from '../../../src/store/connections/fair-pool.ts';
import { createDatabase, type Database } from '../../../src/store/database.ts';
import type { Statement } from '../../../src/store/sql.ts';
import { times } from '../../support/data.ts';

const MAX_PREPARED = 300;

const statement = (n: number): Statement => ({ text: `SELECT $1::int + ${n} AS sum`, values: [1] });

const broken = (n: number): Statement => ({ text: `SELECT * FROM missing_${n} WHERE id = $1`, values: [1] });

function unserializable(n: number): Statement {
  const circular: unknown[] = [];
  circular.push({ circular });
  return { ...statement(n), values: [circular] };
}

describe.skipIf(!inject('databaseUrl'))('prepared statements', () => {
  let pool: FairPool;
  let database: Database;
  const open = (max: number) => {
    pool = new FairPool({ connectionString: inject('databaseUrl'), max, pipeline: true });
    database = createDatabase(pool, { hasSessions: true });
  };
  beforeEach(() => open(1));
  afterEach(() => pool.end());

  const run = (n: number) => database.rows(statement(n));
  const runAll = async (numbers: readonly number[]) => {
    for (const n of numbers) await run(n);
  };

  /** The texts of the prepared statements of each connection, by the server and by the driver. */
  async function prepared(): Promise<{ server: string[]; driver: string[] }[]> {
    const clients = await Promise.all(times(pool.totalCount, () => pool.connect()));
    try {
      return await Promise.all(
        clients.map(async (client) => {
          const { rows } = await client.query('SELECT statement FROM pg_prepared_statements ORDER BY statement');
          const { connection } = client as unknown as { connection: { parsedStatements: Record<string, string> } };
          return {
            server: rows.map((row) => row.statement),
            driver: Object.values(connection.parsedStatements).sort(),
          };
        }),
      );
    } finally {
      for (const client of clients) client.release();
    }
  }
  const textsOf = (numbers: readonly number[]) => numbers.map((n) => statement(n).text).sort();

  it('keeps the 300 newest statements', async () => {
    const numbers = times(MAX_PREPARED + 50, (n) => n);
    await runAll(numbers);
    const newest = textsOf(numbers.slice(-MAX_PREPARED));
    expect(await prepared()).toEqual([{ server: newest, driver: newest }]);
  });

  it('closes the least recently used statement first', async () => {
    await runAll(times(MAX_PREPARED, (n) => n));
    await runAll([0, MAX_PREPARED]);
    const [{ server } = { server: [] }] = await prepared();
    expect(server).toContain(statement(0).text);
    expect(server).toContain(statement(MAX_PREPARED).text);
    expect(server).not.toContain(statement(1).text);
  });

  it('prepares a closed statement again when it is used again', async () => {
    await runAll(times(MAX_PREPARED + 1, (n) => n));
    expect(await run(0)).toEqual([{ sum: 1 }]);
    const [{ server } = { server: [] }] = await prepared();
    expect(server).toContain(statement(0).text);
    expect(server).toHaveLength(MAX_PREPARED);
  });

  it('queryUnshared always gets a custom plan, while rows switches to a generic one', async () => {
    for (const n of times(20, (n) => n)) {
      const text = 'SELECT $1::int + 1 AS sum';
      expect(await database.queryUnshared({ text, values: [n] })).toEqual([{ sum: n + 1 }]);
      expect(await database.rows({ text, values: [n] })).toEqual([{ sum: n + 1 }]);
    }
    const plans = await database.queryUnshared({
      text: `SELECT generic_plans::int, custom_plans::int FROM pg_prepared_statements ORDER BY custom_plans DESC`,
      values: [],
    });
    expect(plans).toEqual([
      { generic_plans: 0, custom_plans: 20 },
      { generic_plans: 15, custom_plans: 5 },
      // The statement that reads these numbers.
      { generic_plans: 0, custom_plans: 1 },
    ]);
  });

  it('keeps 50 statements with custom plans besides the others, and none of more than 5,000 characters', async () => {
    await runAll(times(MAX_PREPARED, (n) => n));
    const long = { text: `SELECT $1::int AS ${'n'.repeat(5_000)}`, values: [1] };
    for (const query of [...times(60, (n) => statement(n)), long]) await database.queryUnshared(query);
    const [{ server } = { server: [] }] = await prepared();
    const wrapped = server.filter((text) => text.includes('generate_series'));
    expect(wrapped.map((text) => /\$1::int \+ (\d+)/.exec(text)?.[1]).sort()).toEqual(
      times(50, (n) => String(n + 10)).sort(),
    );
    expect(server.filter((text) => !wrapped.includes(text))).toEqual(textsOf(times(MAX_PREPARED, (n) => n)));
  });

  it('estimates the number of rows of a query for its values', async () => {
    const text = 'SELECT FROM generate_series(1, $1::int)';
    for (const rows of [10, 20_000]) expect(await database.estimateRows({ text, values: [rows] })).toBe(rows);
  });

  it('returns the right rows for 2,000 random statements of 400 texts, 50 in parallel', async () => {
    await pool.end();
    open(2);
    const random = fc.sample(fc.noBias(fc.nat(399)), { numRuns: 2_000, seed: 1 });
    for (let first = 0; first < random.length; first += 50) {
      const numbers = random.slice(first, first + 50);
      expect(await Promise.all(numbers.map(run))).toEqual(numbers.map((n) => [{ sum: n + 1 }]));
    }
    const all = await prepared();
    expect(all).toHaveLength(2);
    for (const { server, driver } of all) {
      expect(server.length).toBeLessThanOrEqual(MAX_PREPARED);
      expect(driver).toEqual(server);
    }
  });

  it('closes statements that are still in flight', async () => {
    const numbers = times(3 * MAX_PREPARED, (n) => n % (2 * MAX_PREPARED));
    const results = await database.transaction((transaction) =>
      Promise.all(numbers.map((n) => transaction.rows(statement(n)))),
    );
    expect(results).toEqual(numbers.map((n) => [{ sum: n + 1 }]));
    const newest = textsOf(numbers.slice(-MAX_PREPARED));
    expect(await prepared()).toEqual([{ server: newest, driver: newest }]);
  });

  it('does not keep statements that cannot be parsed', async () => {
    const numbers = times(MAX_PREPARED - 8, (n) => n);
    await runAll(numbers);
    for (const first of [0, 8, 16]) {
      const results = await Promise.allSettled(times(8, (n) => database.rows(broken(first + n))));
      for (const result of results) expect(result).toMatchObject({ reason: { code: '42P01' } });
    }
    expect(await prepared()).toEqual([{ server: textsOf(numbers), driver: textsOf(numbers) }]);
  });

  it('prepares a statement that could not be parsed earlier', async () => {
    const table = broken(0).text.split(' ')[3];
    await Promise.allSettled(times(3, () => database.rows(broken(0))));
    await pool.query(`CREATE TABLE ${table} (id int)`);
    try {
      expect(await Promise.all(times(3, () => database.rows(broken(0))))).toEqual([[], [], []]);
    } finally {
      await pool.query(`DROP TABLE ${table}`);
    }
  });

  it('keeps statements prepared in a transaction that is rolled back', async () => {
    const numbers = times(MAX_PREPARED, (n) => n);
    await runAll(numbers);
    const later = times(20, (n) => MAX_PREPARED + n);
    const failed = database.transaction(async (transaction) => {
      for (const n of later) await transaction.rows(statement(n));
      await transaction.rows({ text: 'SELECT 1 / $1::int', values: [0] });
    });
    await expect(failed).rejects.toMatchObject({ code: '22012' });
    const [{ server, driver } = { server: [], driver: [] }] = await prepared();
    expect(server).toHaveLength(MAX_PREPARED);
    expect(driver).toEqual(server);
    expect(server).toEqual(expect.arrayContaining(textsOf(later)));
    for (const n of [...numbers, ...later]) expect(await run(n)).toEqual([{ sum: n + 1 }]);
  });

  it('closes statements in an aborted transaction, and keeps none that failed in it', async () => {
    const numbers = times(MAX_PREPARED, (n) => n);
    await runAll(numbers);
    const refused = times(20, (n) => MAX_PREPARED + n);
    await database.transaction(async (transaction) => {
      const attempt = transaction.savepoint(async () => {
        const all = [broken(0), ...refused.map(statement), ...refused.map(statement)];
        const results = await Promise.allSettled(all.map((each) => transaction.rows(each)));
        expect(results.filter(({ status }) => status === 'fulfilled')).toEqual([]);
        throw new Error('undo');
      });
      await expect(attempt).rejects.toThrow('undo');
      for (const n of [...refused, ...numbers]) {
        expect(await transaction.rows(statement(n))).toEqual([{ sum: n + 1 }]);
      }
    });
    const newest = textsOf(numbers);
    expect(await prepared()).toEqual([{ server: newest, driver: newest }]);
  });

  it('reports the parse error to every query with the statement', async () => {
    const results = await Promise.allSettled(times(8, () => database.rows(broken(0))));
    for (const result of results) expect(result).toMatchObject({ reason: { code: '42P01' } });
  });

  it('prepares a statement again after a value that the driver cannot serialize', async () => {
    for (const _ of ['not parsed yet', 'parsed']) {
      await expect(database.rows(unserializable(0))).rejects.toThrow(/circular/);
      expect(await run(0)).toEqual([{ sum: 1 }]);
      expect(await prepared()).toEqual([{ server: textsOf([0]), driver: textsOf([0]) }]);
    }
  });

  it('removes closed statements from the driver while such values are in flight', async () => {
    await database.transaction((transaction) =>
      Promise.allSettled(
        times(2 * MAX_PREPARED, (n) => transaction.rows(n % 10 === 0 ? unserializable(n) : statement(n))),
      ),
    );
    const [{ server, driver } = { server: [], driver: [] }] = await prepared();
    expect(server.length).toBeGreaterThan(0);
    expect(driver).toEqual(server);
  });

  it('prepares a statement again after the server deallocated it', async () => {
    await run(0);
    await pool.query('DEALLOCATE ALL');
    await expect(run(0)).rejects.toMatchObject({ code: '26000' });
    expect(await run(0)).toEqual([{ sum: 1 }]);
    expect(await prepared()).toEqual([{ server: textsOf([0]), driver: textsOf([0]) }]);
  });
});
