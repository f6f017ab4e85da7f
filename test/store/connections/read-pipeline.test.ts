import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { Database } from '../../../src/store/database.ts';
import { sql } from '../../../src/store/sql.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import { times } from '../../support/data.ts';
import { proxyTo, type TcpProxy } from '../../support/servers/proxy.ts';

interface Read {
  readonly pid: number;
  readonly number: number;
}

describe.skipIf(!inject('databaseUrl'))('short reads', () => {
  let proxy: TcpProxy;
  let store: Store;
  beforeAll(async () => {
    proxy = await proxyTo(inject('databaseUrl') as string);
    store = await openStore({ databaseUrl: proxy.url, dataDirectory: '', timeouts: 'request' });
  });
  afterAll(async () => {
    await store.close();
    await proxy.close();
  });

  let groups = 0;
  const newOrganization = () => store.db.forRequest({ organizationId: `org_${++groups}` });
  const read = async (db: Database, number: number): Promise<Read> => {
    const [row] = await db.rows<Read>(sql`SELECT pg_backend_pid() AS pid, ${number}::int AS number`, true);
    return row as Read;
  };
  const readSlowly = async (db: Database): Promise<Read> => {
    const [row] = await db.rows<Read>(sql`SELECT pg_backend_pid() AS pid, 0 AS number FROM pg_sleep(0.15)`, true);
    return row as Read;
  };

  it('of all organizations are answered on one connection, each with its own result', async () => {
    const organizations = times(20, newOrganization);
    const reads = await Promise.all(times(200, (index) => read(organizations[index % 20] as Database, index)));
    expect(reads.map(({ number }) => number)).toEqual(times(200, (index) => index));
    expect(new Set(reads.map(({ pid }) => pid)).size).toBe(1);
  });

  it('of which one fails do not fail with it', async () => {
    const db = newOrganization();
    const failing = db.rows(sql`SELECT 1 / ${0}::int`, true);
    const [{ pid }] = await Promise.all([read(db, 1), expect(failing).rejects.toThrow('division by zero')]);
    expect(await read(db, 2)).toEqual({ pid, number: 2 });
  });

  it('that are not short are answered on another connection, and so are later ones of the organization', async () => {
    const [slow, other] = [newOrganization(), newOrganization()];
    const { pid } = await read(other, 1);
    expect((await readSlowly(slow)).pid).not.toBe(pid);
    expect((await read(slow, 2)).pid).not.toBe(pid);
    expect(await read(other, 3)).toEqual({ pid, number: 3 });
  });

  it('of an organization that sends many have at most 8 before those of another one', async () => {
    const [busy, other] = [newOrganization(), newOrganization()];
    const answered: string[] = [];
    const reads = times(40, (index) => read(busy, index).then(() => answered.push('busy')));
    reads.push(read(other, 0).then(() => answered.push('other')));
    await Promise.all(reads);
    expect(answered.indexOf('other')).toBeLessThanOrEqual(8);
  });

  it('are answered on another connection if theirs breaks meanwhile', async () => {
    const db = newOrganization();
    const { pid } = await read(db, 1);
    const reads = times(5, (index) => read(db, index));
    await store.pool.query('SELECT pg_terminate_backend($1)', [pid]);
    expect((await Promise.all(reads)).map(({ number }) => number)).toEqual(times(5, (index) => index));
    expect((await read(db, 6)).pid).not.toBe(pid);
  });

  it('fail like others while PostgreSQL is unreachable, and are answered afterwards', async () => {
    const db = newOrganization();
    await read(db, 1);
    await proxy.become('cut');
    await expect(read(db, 2)).rejects.toThrow();
    await proxy.become('working');
    expect(await read(db, 3)).toMatchObject({ number: 3 });
  });

  it('within a transaction see its writes', async () => {
    const seen = await newOrganization().transaction(async (transaction) => {
      await transaction.rows(sql`CREATE TEMPORARY TABLE written ON COMMIT DROP AS SELECT 7 AS number`);
      return transaction.rows(sql`SELECT number FROM written`, true);
    });
    expect(seen).toEqual([{ number: 7 }]);
  });
});
