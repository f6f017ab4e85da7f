import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { backUp, restore } from '../../src/backup/backup.ts';
import { move, requireEmpty } from '../../src/backup/move.ts';
import { createOrganization } from '../../src/domain/admin/organization.ts';
import { sql } from '../../src/store/sql.ts';
import type { Store } from '../../src/store/store.ts';
import { temporaryStores } from '../support/directories.ts';
import { createDatabases } from '../support/servers/databases.ts';
import { fill, holdingsOf } from '../support/servers/full-store.ts';

describe.skipIf(!inject('databaseUrl'))('moving', () => {
  const databases = createDatabases(inject('databaseUrl') as string);
  afterAll(() => databases.drop());
  const { folder, open } = temporaryStores();
  let source: Store;

  const emptyDatabase = async () => databases.urlOf(await databases.create());

  beforeAll(async () => {
    source = await open();
    await fill({ store: source, dataDirectory: await folder() });
  });

  it('from the embedded database to a server: equal counts and checksums, the source untouched', async () => {
    const before = await holdingsOf(source.pool);
    const databaseUrl = await emptyDatabase();
    await requireEmpty(databaseUrl);
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
    const [next] = await target.db.rows(sql`SELECT nextval('tag_position_seq')::text AS tag`);
    expect(next).toEqual({ tag: '9007199254740994' });
  });

  it('does not care about the time zone and formats that the server is set to', async () => {
    const databaseUrl = await emptyDatabase();
    const target = await open({ databaseUrl });
    const name = new URL(databaseUrl).pathname.slice(1);
    for (const setting of [`TimeZone = 'Asia/Kolkata'`, `DateStyle = 'German'`, `bytea_output = 'escape'`]) {
      await target.pool.query(`ALTER DATABASE ${name} SET ${setting}`);
    }
    const again = await open({ databaseUrl });
    expect((await move(source.pool, again.pool)).tables).toEqual((await holdingsOf(source.pool)).tables);
  });

  it('and back by a backup', async () => {
    const target = await open({ databaseUrl: await emptyDatabase() });
    await move(source.pool, target.pool);
    const file = `${await folder()}/records.gz`;
    await backUp(target.pool, file);
    const back = await open();
    expect((await restore(back.pool, file)).contents.tables).toEqual((await holdingsOf(source.pool)).tables);
  });

  it('is refused where there are records, of ours or of something else, and changes nothing', async () => {
    const databaseUrl = await emptyDatabase();
    const target = await open({ databaseUrl });
    await requireEmpty(databaseUrl);
    await createOrganization(target, { name: 'Here before', country: 'US' }, 'test');
    const before = await holdingsOf(target.pool);
    await expect(requireEmpty(databaseUrl)).rejects.toThrow(/has organizations already/);
    await expect(move(source.pool, target.pool)).rejects.toThrow(/has organizations already/);
    expect(await holdingsOf(target.pool)).toEqual(before);

    const foreign = await databases.create();
    await foreign.query('CREATE TABLE wp_posts (id int)');
    await expect(requireEmpty(databases.urlOf(foreign))).rejects.toThrow(/has other tables already/);
  });

  it('stops whole when the connection to the target breaks', async () => {
    const databaseUrl = await emptyDatabase();
    const target = await open({ databaseUrl });
    const looking = await databases.create();
    const kill = () =>
      looking.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [
        new URL(databaseUrl).pathname.slice(1),
      ]);
    let killed: Promise<unknown> | undefined;
    const moving = move(source.pool, target.pool, (table) => {
      if (table === 'member_tag') killed ??= kill();
    });
    await expect(moving).rejects.toThrow();
    await killed;
    await requireEmpty(databaseUrl);
  });
});
