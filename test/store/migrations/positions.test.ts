import { readdir, readFile } from 'node:fs/promises';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { createDatabases } from '../../support/servers/databases.ts';

const MIGRATIONS = new URL('../../../prisma/migrations/', import.meta.url);
const MIGRATION = '20261124100000_position_by_transaction';
const MAX_POSITION_BEFORE = 2n ** 60n;

describe.skipIf(!inject('databaseUrl'))('the migration that derives positions from transactions', () => {
  const databases = createDatabases(inject('databaseUrl') as string);
  let pool: pg.Pool;
  let filenode: string;
  /** The connection of an instance of the previous version that runs during the migration. */
  let previous: pg.Pool;

  const insert = (ids: readonly string[], client: pg.Pool | pg.PoolClient = pool) =>
    client.query(
      `INSERT INTO event (organization_id, id, title, dates, search_text)
       SELECT 'org_1', id, 'Tea', '[]', 'TEA' FROM unnest($1::text[]) AS id`,
      [ids],
    );
  /** Prepared before the migration. */
  const insertPrepared = (ids: readonly string[]) =>
    previous.query({
      name: 'insert',
      text: `INSERT INTO event (organization_id, id, title, dates, search_text)
        SELECT 'org_1', id, 'Tea', '[]', 'TEA' FROM unnest($1::text[]) AS id`,
      values: [ids],
    });
  const eventsInOrder = async () =>
    (await pool.query<{ id: string }>('SELECT id FROM event ORDER BY position')).rows.map(({ id }) => id);
  const fileOf = async () => (await pool.query(`SELECT pg_relation_filenode('event') AS file`)).rows[0].file;

  beforeAll(async () => {
    pool = await databases.create();
    const names = (await readdir(MIGRATIONS)).filter((name) => /^\d/.test(name)).sort();
    const apply = async (name: string) =>
      pool.query(await readFile(new URL(`${name}/migration.sql`, MIGRATIONS), 'utf8'));
    for (const name of names.filter((name) => name < MIGRATION)) await apply(name);
    await pool.query(`INSERT INTO organization (id, name, country) VALUES ('org_1', 'One', 'US')`);
    await insert(['old 1']);
    // As if more records had been added than transaction ids times 2^20.
    await pool.query(`SELECT setval('event_position_seq', $1)`, [MAX_POSITION_BEFORE - 1n]);
    await insert(['old 2']);
    previous = await databases.connect(pool, { max: 1 });
    await insertPrepared(['old 3']);
    filenode = await fileOf();
    for (const name of names.filter((name) => name >= MIGRATION)) await apply(name);
  });
  afterAll(() => databases.drop());

  it('keeps existing positions without rewriting the table, and continues after them', async () => {
    expect(await fileOf()).toBe(filenode);
    await insert(['new 1', 'new 2']);
    await insert(['new 3']);
    expect(await eventsInOrder()).toEqual(['old 1', 'old 2', 'old 3', 'new 1', 'new 2', 'new 3']);
    const { rows } = await pool.query(`SELECT position::text FROM event WHERE id IN ('old 1', 'old 2') ORDER BY id`);
    expect(rows).toEqual([{ position: '1' }, { position: String(MAX_POSITION_BEFORE) }]);
  });

  it('keeps the order for instances of the previous version, whose statements do not set positions', async () => {
    await insert(['new 4']);
    await insertPrepared(['from previous 1', 'from previous 2']);
    await insert(['new 5']);
    expect((await eventsInOrder()).slice(-4)).toEqual(['new 4', 'from previous 1', 'from previous 2', 'new 5']);
  });

  it('orders records by transaction and insertion, even after a savepoint was rolled back', async () => {
    const [one, other] = [await pool.connect(), await pool.connect()];
    for (const client of [one, other]) await client.query('BEGIN');
    await insert(['a1'], one);
    await insert(['b1'], other);
    await one.query('SAVEPOINT s');
    await insert(['a rolled back'], one);
    await one.query('ROLLBACK TO SAVEPOINT s');
    await insert(['a2', 'a3'], one);
    await insert(['b2'], other);
    for (const client of [other, one]) {
      await client.query('COMMIT');
      client.release();
    }
    expect((await eventsInOrder()).slice(-5)).toEqual(['a1', 'a2', 'a3', 'b1', 'b2']);
  });

  it('rejects more records than a transaction has positions, instead of using those of the next one', async () => {
    const client = await pool.connect();
    await client.query('BEGIN');
    await insert(['first'], client);
    await client.query(`SELECT set_config('cms.last_position', (next_position() | 1048575)::text, true)`);
    await expect(insert(['one too many'], client)).rejects.toThrow('a transaction can add at most 1048576 records');
    await client.query('ROLLBACK');
    client.release();
    await insert(['afterwards']);
    expect((await eventsInOrder()).at(-1)).toBe('afterwards');
  });

  it('returns the positions of running transactions, in whatever order they started', async () => {
    const client = await pool.connect();
    await client.query('BEGIN');
    await insert(['unseen'], client);
    const { rows } = await client.query(`SELECT position::text FROM event WHERE id = 'unseen'`);
    const isUnseen = async () => {
      const { rows: found } = await pool.query(
        `SELECT $1::bigint <@ unseen[1]::int8multirange AS is_unseen, $1::bigint < unseen[2]::bigint AS is_before_later_ones
         FROM unseen_positions() AS unseen`,
        [rows[0].position],
      );
      return found[0];
    };
    expect(await isUnseen()).toEqual({ is_unseen: true, is_before_later_ones: true });
    await insert(['meanwhile']);
    expect(await isUnseen()).toEqual({ is_unseen: true, is_before_later_ones: true });
    await client.query('COMMIT');
    client.release();
    expect(await isUnseen()).toMatchObject({ is_before_later_ones: true });
    expect((await isUnseen()).is_unseen).not.toBe(true);
  });

  it('continues after all positions if transaction ids restart', async () => {
    // As after a copy from another server: positions of transactions that this server has not reached.
    await pool.query(`UPDATE event SET position = position + (2::bigint ^ 61)::bigint WHERE id = 'old 1'`);
    await insert(['below']);
    expect((await eventsInOrder()).at(-1)).toBe('old 1');
    await pool.query('SELECT raise_positions()');
    await insert(['above']);
    expect((await eventsInOrder()).slice(-2)).toEqual(['old 1', 'above']);
  });
});
