import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { assertMovable, move } from '../../src/backup/move.ts';
import { createOrganization } from '../../src/domain/admin/organization.ts';
import { sql } from '../../src/store/sql.ts';
import { openStore, type Store } from '../../src/store/store.ts';
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
    source = await open({ databaseUrl: await emptyDatabase() });
    await fill({ store: source, dataDirectory: await folder() });
  });

  it('to a server with other formats of dates and bytes preserves checksums, and leaves the source unchanged', async () => {
    const before = await holdingsOf(source.pool);
    const database = await databases.create();
    const databaseUrl = databases.urlOf(database);
    const name = new URL(databaseUrl).pathname.slice(1);
    for (const setting of [`TimeZone = 'Asia/Kolkata'`, `DateStyle = 'German'`, `bytea_output = 'escape'`]) {
      await database.query(`ALTER DATABASE ${name} SET ${setting}`);
    }
    await assertMovable(databaseUrl);
    const target = await open({ databaseUrl });
    const seen = new Set<string>();
    const contents = await move(source.pool, target.pool, (table) => seen.add(table));
    expect(contents.tables).toEqual(before.tables);
    expect((await holdingsOf(target.pool)).tables).toEqual(before.tables);
    expect(await holdingsOf(source.pool)).toEqual(before);
    expect(seen).toContain('member');
    expect(seen).toContain('member (compared)');
    const counters = (store: Store) => store.db.rows(sql`SELECT * FROM organization_counter ORDER BY organization_id`);
    expect(await counters(target)).toEqual(await counters(source));
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

it('a connection that is lost while the target is checked is reported by an error that can be handled', async () => {
  const server = createServer((socket) => socket.once('data', () => socket.destroy())).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await expect(assertMovable(`postgresql://test@127.0.0.1:${port}/test`)).rejects.toThrow('Connection terminated');
  server.close();
});
