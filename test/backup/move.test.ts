import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { backUp, restore } from '../../src/backup/backup.ts';
import { assertMovable, move } from '../../src/backup/move.ts';
import { createOrganization } from '../../src/domain/admin/organization.ts';
import { isStoreUnavailable } from '../../src/store/errors.ts';
import { sql } from '../../src/store/sql.ts';
import type { Store } from '../../src/store/store.ts';
import { openStore } from '../../src/store/store.ts';
import { createDatabases } from '../support/servers/databases.ts';
import { fill, holdingsOf } from '../support/servers/full-store.ts';
import { temporaryStores } from '../support/stores/directories.ts';

describe.skipIf(!inject('databaseUrl'))('moving', () => {
  const databases = createDatabases(inject('databaseUrl') as string);
  afterAll(() => databases.drop());
  const { folder, open } = temporaryStores();
  let source: Store;

  const emptyDatabase = async () => databases.urlOf(await databases.create(inject('migratedDatabase')));

  beforeAll(async () => {
    source = await open();
    await fill({ store: source, dataDirectory: await folder() });
  });

  it('from the embedded database to a server preserves checksums, and leaves the source unchanged', async () => {
    const before = await holdingsOf(source.pool);
    const databaseUrl = databases.urlOf(await databases.create());
    await assertMovable(databaseUrl);
    const target = await open({ databaseUrl });
    const seen = new Set<string>();
    const contents = await move(source.pool, target.pool, (table) => seen.add(table));
    expect(contents.tables).toEqual(before.tables);
    expect((await holdingsOf(target.pool)).tables).toEqual(before.tables);
    expect(await holdingsOf(source.pool)).toEqual(before);
    expect(seen).toContain('member');
    expect(seen).toContain('member (compared)');
    const rows = (store: Store) => store.db.rows(sql`SELECT t::text FROM tag t ORDER BY id COLLATE "C"`);
    expect(await rows(target)).toEqual(await rows(source));
    const counters = (store: Store) => store.db.rows(sql`SELECT * FROM organization_counter ORDER BY organization_id`);
    expect(await counters(target)).toEqual(await counters(source));
  });

  it('does not depend on the time zone and formats of the server', async () => {
    const databaseUrl = await emptyDatabase();
    const target = await open({ databaseUrl });
    const name = new URL(databaseUrl).pathname.slice(1);
    for (const setting of [`TimeZone = 'Asia/Kolkata'`, `DateStyle = 'German'`, `bytea_output = 'escape'`]) {
      await target.pool.query(`ALTER DATABASE ${name} SET ${setting}`);
    }
    const reopened = await open({ databaseUrl });
    expect((await move(source.pool, reopened.pool)).tables).toEqual((await holdingsOf(source.pool)).tables);
  });

  it('is reversible by a backup', async () => {
    const target = await open({ databaseUrl: await emptyDatabase() });
    await move(source.pool, target.pool);
    const file = `${await folder()}/records.gz`;
    await backUp(target.pool, file);
    const restored = await open();
    expect((await restore(restored.pool, file)).contents.tables).toEqual((await holdingsOf(source.pool)).tables);
  });

  it('is refused by a database with records, which remains unchanged', async () => {
    const databaseUrl = await emptyDatabase();
    const target = await open({ databaseUrl });
    await assertMovable(databaseUrl);
    await createOrganization(target, { name: 'Existing', country: 'US' }, 'test');
    const before = await holdingsOf(target.pool);
    await expect(assertMovable(databaseUrl)).rejects.toThrow(/already has organizations/);
    await expect(move(source.pool, target.pool)).rejects.toThrow(/already has organizations/);
    expect(await holdingsOf(target.pool)).toEqual(before);
  });

  it('is refused, as is a restore, by a database of another application, in which no table is created', async () => {
    const foreign = await databases.create();
    await foreign.query('CREATE TABLE wp_posts (id int)');
    const databaseUrl = databases.urlOf(foreign);
    await expect(assertMovable(databaseUrl)).rejects.toThrow(/already has other tables/);
    const migrations = ['20261121000000_initial'];
    await expect(openStore({ databaseUrl, dataDirectory: '', migrations })).rejects.toThrow(
      'the database has tables of another application; use an empty database',
    );
    const { rows } = await foreign.query(`SELECT tablename FROM pg_tables WHERE schemaname = 'public'`);
    expect(rows).toEqual([{ tablename: 'wp_posts' }]);
  });

  it('is allowed to a database with tables and views of extensions', async () => {
    const database = await databases.create();
    await database.query('CREATE EXTENSION pg_stat_statements');
    await assertMovable(databases.urlOf(database));
  });

  it('is rolled back if the connection to the target fails', async () => {
    const databaseUrl = await emptyDatabase();
    const target = await open({ databaseUrl });
    const admin = await databases.create();
    const kill = () =>
      admin.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [
        new URL(databaseUrl).pathname.slice(1),
      ]);
    let killed: Promise<unknown> | undefined;
    const moving = move(source.pool, target.pool, (table) => {
      if (table === 'member_tag') killed ??= kill();
    });
    await expect(moving).rejects.toThrow();
    await killed;
    await assertMovable(databaseUrl);
  });
});

/** A message of the PostgreSQL protocol: type, length and body. */
function message(type: string, body: Buffer): Buffer {
  const header = Buffer.alloc(5);
  header.write(type);
  header.writeInt32BE(4 + body.length, 1);
  return Buffer.concat([header, body]);
}

/** A server that accepts every connection, and calls `onQuery` instead of answering statements. */
async function listenForQueries(onQuery: (socket: Socket) => void): Promise<{ server: Server; url: string }> {
  const server = createServer((socket) => {
    socket.once('data', () => {
      socket.write(Buffer.concat([message('R', Buffer.alloc(4)), message('Z', Buffer.from('I'))]));
      socket.once('data', () => onQuery(socket));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { server, url: `postgresql://test@127.0.0.1:${port}/test` };
}

it('a connection that is lost while the target is checked is reported by an error that can be handled', async () => {
  const { server, url } = await listenForQueries((socket) => socket.destroy());
  await expect(assertMovable(url)).rejects.toThrow('Connection terminated');
  server.close();
});

it('a target that does not respond while it is checked is reported as unavailable', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const silent: Socket[] = [];
    const { server, url } = await listenForQueries((socket) => {
      silent.push(socket);
      vi.advanceTimersByTime(60_000);
    });
    const error = await assertMovable(url).catch((error: unknown) => error);
    expect([isStoreUnavailable(error), String(error)]).toEqual([true, 'Error: Query read timeout']);
    for (const socket of silent) socket.destroy();
    server.close();
  } finally {
    vi.useRealTimers();
  }
});
