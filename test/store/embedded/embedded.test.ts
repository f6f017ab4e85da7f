import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { newId } from '../../../src/domain/values/ids.ts';
import { shortPath } from '../../../src/file-system/short-path.ts';
import { DirectoryInUseError } from '../../../src/store/embedded/directory-lock.ts';
import { sql } from '../../../src/store/sql.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import { times } from '../../support/data.ts';
import { type Child, startChild } from '../../support/processes/child.ts';
import { echoes } from '../../support/servers/echoes.mjs';
import { copyStartedOnce, temporaryStores } from '../../support/stores/directories.ts';
import { expectWithin } from '../../support/time/pace.ts';
import { message, STARTUP, text } from './messages.ts';

const { folder, startedOnce } = temporaryStores();
let dataDirectory: string;
let store: Store;
const onIdleInTransaction = vi.fn();
beforeAll(async () => {
  // Longer than the address of a socket can be.
  dataDirectory = join(await folder(), 'long'.repeat(40), 'é'.repeat(40));
  copyStartedOnce(dataDirectory);
  store = await openStore({ dataDirectory, embedded: { idleInTransactionMs: 2_000, onIdleInTransaction } });
});
afterAll(() => store.close());

const joined: Store[] = [];
const children: Child[] = [];
afterEach(async () => {
  await Promise.all(children.splice(0).map((child) => child.kill()));
  await Promise.all(joined.splice(0).map((each) => each.close()));
});

/** Connects to the database as another process does. */
async function openJoined(directory = dataDirectory): Promise<Store> {
  const opened = await openStore({ dataDirectory: directory, join: true });
  joined.push(opened);
  return opened;
}

const insert = ({ db }: Pick<Store, 'db'>, id: string) =>
  db.rows(sql`INSERT INTO organization (id, name, country) VALUES (${id}, 'Stored', 'US')`);

const stored = async ({ db }: Pick<Store, 'db'>, id: string) =>
  (await db.rows(sql`SELECT FROM organization WHERE id = ${id}`)).length;

it('rejects a second opener that does not join', async () => {
  await expect(openStore({ dataDirectory })).rejects.toThrow(DirectoryInUseError);
  expect(await store.db.rows(sql`SELECT 1 AS one`)).toEqual([{ one: 1 }]);
});

it('makes the writes of the owner and of a joined store visible to each other, and continues when the joined one closes', async () => {
  const other = await openStore({ dataDirectory, join: true });
  const [here, there] = [newId('org'), newId('org')];
  await insert(store, here);
  expect(await stored(other, here)).toBe(1);
  await insert(other, there);
  await other.close();
  expect(await stored(store, there)).toBe(1);
});

it('rolls back an idle transaction of a joined store if others wait, and the store gets an error', async () => {
  const other = await openJoined();
  const [never, later] = [newId('org'), newId('org')];
  const committed = other.db.transaction(async (transaction) => {
    await insert({ db: transaction }, never);
    return { count: await stored(store, never) };
  });
  await expect(committed).rejects.toThrow('terminating connection due to idle-in-transaction timeout');
  expect(onIdleInTransaction).toHaveBeenCalledOnce();
  await insert(other, later);
  expect([await stored(store, never), await stored(store, later)]).toEqual([0, 1]);
});

it('separates the parameters of connections, including transactions and errors', async () => {
  const others = await Promise.all(times(2, () => openJoined()));
  const errors = times(50, (n) => store.db.rows(sql`SELECT ${n}::int / 0`).catch(({ code }) => code));
  const transactions = others.flatMap(({ db }, n) =>
    times(20, (m) => db.transaction((transaction) => echoes(transaction, `transaction-${n}-${m}`, 1))),
  );
  const wrong = await Promise.all([...others, store].map(({ db }, n) => echoes(db, `store-${n}`, 200)));
  expect(wrong).toEqual([[], [], []]);
  expect((await Promise.all(transactions)).flat()).toEqual([]);
  expect(await Promise.all(errors)).toEqual(times(50, () => '22012'));
});

it('isolates a transaction while others wait', async () => {
  const other = await openJoined();
  const id = newId('org');
  const rolledBack = store.db.transaction(async (transaction) => {
    await transaction.rows(sql`INSERT INTO organization (id, name, country) VALUES (${id}, 'Never', 'US')`);
    const others = [stored(other, id), echoes(other.db, 'outside', 10)];
    for (const n of times(20, String)) expect(await echoes(transaction, `inside-${n}`, 1)).toEqual([]);
    return Promise.reject(Object.assign(new Error('changed my mind'), { others }));
  });
  const { others } = await rolledBack.catch((error) => error);
  expect(await Promise.all(others)).toEqual([0, []]);
});

describe('a connection of another client', () => {
  const begin = message('Q', text('BEGIN'));
  const parse = message('P', text(''), text('SELECT $1::text'), Buffer.alloc(2));
  let short: Awaited<ReturnType<typeof shortPath>>;
  beforeAll(async () => {
    short = await shortPath(dataDirectory);
  });
  afterAll(() => short.remove());
  const connectSocket = () => connect(join(short.path, 'socket', '.s.PGSQL.5432'));
  const startSocket = async () => {
    const socket = connectSocket();
    socket.write(STARTUP);
    await once(socket, 'data');
    return socket;
  };

  it.each([
    ['a statement', parse],
    ['a message', parse.subarray(0, 9)],
    ['a statement and a Flush', Buffer.concat([parse, message('H')])],
    ['a transaction', begin],
    ['a statement of a transaction', Buffer.concat([begin, parse])],
  ])('can end in the middle of %s without delaying the others', async (_, bytes) => {
    const socket = await startSocket();
    await new Promise((resolve) => socket.write(bytes, resolve));
    socket.destroy();
    expect(await echoes(store.db, 'others', 5)).toEqual([]);
  });

  it('that is lost in a transaction leaves none of its writes, and the others are served immediately', async () => {
    const socket = await startSocket();
    const id = newId('org');
    const inserted = once(socket, 'data');
    socket.write(
      message('Q', text(`BEGIN; INSERT INTO organization (id, name, country) VALUES ('${id}', 'Lost', 'US')`)),
    );
    expect(String((await inserted)[0])).toContain('INSERT 0 1');
    const waiting = stored(store, id);
    socket.destroy();
    const started = performance.now();
    expect(await waiting).toBe(0);
    expectWithin(1_000, performance.now() - started);
  });

  it.each([
    ['another protocol', Buffer.from('GET / HTTP/1.1\r\n\r\n')],
    ['a request for encryption', message('', Buffer.from([4, 210, 22, 47]))],
    ['a message of an invalid length', Buffer.concat([STARTUP, Buffer.from([81, 0, 0, 0, 1])])],
  ])('is closed after %s, and the others are served', async (_, bytes) => {
    const socket = connectSocket().resume();
    socket.write(bytes);
    await once(socket, 'close');
    expect(await echoes(store.db, 'others', 5)).toEqual([]);
  });

  it('can send a statement byte by byte', async () => {
    const socket = await startSocket();
    const answer = once(socket, 'data');
    for (const byte of message('Q', text("SELECT 'complete'"))) {
      await new Promise((resolve) => socket.write(Buffer.from([byte]), resolve));
    }
    expect(String(await answer)).toContain('complete');
    socket.destroy();
  });
});

it('fails for joined processes when the owner is killed, and reopens with all acknowledged writes', async () => {
  const directory = await startedOnce();
  const owner = await startChild(new URL('../../support/processes/store-child.mjs', import.meta.url));
  children.push(owner);
  expect(await owner.ask('open', directory)).toBe('open');
  const other = await openJoined(directory);
  const ids = times(6, () => newId('org'));
  for (const [n, id] of ids.entries()) {
    if (n % 2) expect(await owner.ask('insert', id)).toBe('stored');
    else await insert(other, id);
  }
  await owner.kill();
  await expect(other.db.rows(sql`SELECT 1`)).rejects.toThrow();
  const next = await openJoined(directory);
  expect(await Promise.all(ids.map((id) => stored(next, id)))).toEqual([1, 1, 1, 1, 1, 1]);
});

it('works in a directory whose path is longer than the address of a socket, joined or not', async () => {
  const other = await openJoined();
  expect(Buffer.byteLength(dataDirectory)).toBeGreaterThan(108);
  expect([await store.db.rows(sql`SELECT 1 AS n`), await other.db.rows(sql`SELECT 2 AS n`)]).toEqual([
    [{ n: 1 }],
    [{ n: 2 }],
  ]);
});
