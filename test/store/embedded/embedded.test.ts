import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/domain/values/ids.ts';
import { DirectoryInUseError } from '../../../src/store/embedded/directory-lock.ts';
import { sql } from '../../../src/store/sql.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import { times } from '../../support/data.ts';
import { type Child, startChild } from '../../support/processes/child.ts';
import { echoes } from '../../support/servers/echoes.mjs';
import { copyStartedOnce, temporaryStores } from '../../support/stores/directories.ts';
import { expectWithin } from '../../support/time/pace.ts';

const { folder, startedOnce, open } = temporaryStores();
let dataDirectory: string;
let store: Store;
beforeAll(async () => {
  dataDirectory = await startedOnce();
  store = await open({ dataDirectory });
});

const children: Child[] = [];
afterEach(async () => {
  await Promise.all(children.splice(0).map((child) => child.kill()));
});

async function childWith(directory: string, how = 'join'): Promise<Child> {
  const child = await startChild(new URL('../../support/processes/store-child.mjs', import.meta.url));
  children.push(child);
  expect(await child.ask('open', directory, how)).toBe('open');
  return child;
}

const stored = async ({ db }: Pick<Store, 'db'>, id: string) =>
  (await db.rows(sql`SELECT FROM organization WHERE id = ${id}`)).length;

it('rejects a second opener that does not join, in this process and in another', async () => {
  await expect(openStore({ dataDirectory })).rejects.toThrow(DirectoryInUseError);
  const child = await startChild(new URL('../../support/processes/store-child.mjs', import.meta.url));
  children.push(child);
  expect(await child.ask('open', dataDirectory)).toBe(new DirectoryInUseError(dataDirectory).message);
  expect(await store.db.rows(sql`SELECT 1 AS one`)).toEqual([{ one: 1 }]);
});

it('makes the writes of each of two processes visible to the other, and continues when one closes', async () => {
  const child = await childWith(dataDirectory);
  const [here, there] = [newId('org'), newId('org')];
  await store.db.rows(sql`INSERT INTO organization (id, name, country) VALUES (${here}, 'Here', 'US')`);
  expect(await child.ask('count', here)).toBe(1);
  expect(await child.ask('insert', there)).toBe('stored');
  await child.ask('close');
  expect(await stored(store, there)).toBe(1);
});

it('separates the parameters of connections, including transactions and errors', async () => {
  const joined = await Promise.all(times(2, () => openStore({ dataDirectory, join: true })));
  try {
    const errors = times(50, (n) => store.db.rows(sql`SELECT ${n}::int / 0`).catch(({ code }) => code));
    const transactions = joined.flatMap(({ db }, n) =>
      times(20, (m) => db.transaction((transaction) => echoes(transaction, `transaction-${n}-${m}`, 1))),
    );
    const wrong = await Promise.all([...joined, store].map(({ db }, n) => echoes(db, `store-${n}`, 200)));
    expect(wrong).toEqual([[], [], []]);
    expect((await Promise.all(transactions)).flat()).toEqual([]);
    expect(await Promise.all(errors)).toEqual(times(50, () => '22012'));
  } finally {
    await Promise.all(joined.map((each) => each.close()));
  }
});

it('isolates a transaction while others wait', async () => {
  const joined = await openStore({ dataDirectory, join: true });
  const id = newId('org');
  const rolledBack = store.db.transaction(async (transaction) => {
    await transaction.rows(sql`INSERT INTO organization (id, name, country) VALUES (${id}, 'Never', 'US')`);
    const others = [stored(joined, id), echoes(joined.db, 'outside', 10)];
    for (const n of times(20, String)) expect(await echoes(transaction, `inside-${n}`, 1)).toEqual([]);
    return Promise.reject(Object.assign(new Error('changed my mind'), { others }));
  });
  const { others } = await rolledBack.catch((error) => error);
  expect(await Promise.all(others)).toEqual([0, []]);
  await joined.close();
});

it('rolls back the open transaction of a killed process, and serves others immediately', async () => {
  const child = await childWith(dataDirectory);
  const id = newId('org');
  expect(await child.ask('begin', id)).toBe('open');
  const waiting = stored(store, id);
  await child.kill();
  const started = performance.now();
  expect(await waiting).toBe(0);
  expectWithin(1_000, performance.now() - started);
  expect(await stored(store, id)).toBe(0);
});

describe('a connection of another client', () => {
  const text = (value: string) => Buffer.from(`${value}\0`);
  const message = (type: string, ...parts: Buffer[]) => {
    const body = Buffer.concat(parts);
    const length = Buffer.alloc(4);
    length.writeInt32BE(body.length + 4);
    return Buffer.concat([Buffer.from(type), length, body]);
  };
  const startup = message('', Buffer.from([0, 3, 0, 0]), text('user'), text('postgres'), text(''));
  const begin = message('Q', text('BEGIN'));
  const parse = message('P', text(''), text('SELECT $1::text'), Buffer.alloc(2));
  const connectSocket = () => connect(join(dataDirectory, 'socket', '.s.PGSQL.5432'));
  const startSocket = async () => {
    const socket = connectSocket();
    socket.write(startup);
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

  it.each([
    ['another protocol', Buffer.from('GET / HTTP/1.1\r\n\r\n')],
    ['a request for encryption', message('', Buffer.from([4, 210, 22, 47]))],
    ['a message of an invalid length', Buffer.concat([startup, Buffer.from([81, 0, 0, 0, 1])])],
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
  const holder = await childWith(directory, 'hold');
  const joined = await openStore({ dataDirectory: directory, join: true });
  const ids = times(6, () => newId('org'));
  for (const [n, id] of ids.entries()) {
    if (n % 2) expect(await holder.ask('insert', id)).toBe('stored');
    else await joined.db.rows(sql`INSERT INTO organization (id, name, country) VALUES (${id}, 'Joined', 'US')`);
  }
  await holder.kill();
  await expect(joined.db.rows(sql`SELECT 1`)).rejects.toThrow();
  await joined.close();
  const next = await openStore({ dataDirectory: directory, join: true });
  expect(await Promise.all(ids.map((id) => stored(next, id)))).toEqual([1, 1, 1, 1, 1, 1]);
  await next.close();
});

it('works in a directory whose path is longer than a socket address, joined or not', async () => {
  const directory = join(await folder(), 'long'.repeat(40), 'é'.repeat(40));
  copyStartedOnce(directory);
  const first = await openStore({ dataDirectory: directory });
  const joined = await openStore({ dataDirectory: directory, join: true });
  const id = newId('org');
  await first.db.rows(sql`INSERT INTO organization (id, name, country) VALUES (${id}, 'Far', 'US')`);
  expect(await stored(joined, id)).toBe(1);
  await joined.close();
  await first.close();
});
