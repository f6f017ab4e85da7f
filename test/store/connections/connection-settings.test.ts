import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { sql } from '../../../src/store/sql.ts';
import { openStore, type Store } from '../../../src/store/store.ts';

describe.skipIf(!inject('databaseUrl'))('PostgreSQL connections', () => {
  let store: Store;
  beforeAll(async () => {
    store = await openStore({ databaseUrl: inject('databaseUrl'), dataDirectory: '', timeouts: 'request' });
  });
  afterAll(() => store.close());

  it('have the time zone UTC', async () => {
    const statement = sql`SELECT current_setting('TimeZone') AS zone`;
    for (const { rows } of [store.db, store.reserved]) expect(await rows(statement)).toEqual([{ zone: 'UTC' }]);
    expect(await store.prisma.$queryRaw(statement)).toEqual([{ zone: 'UTC' }]);
  });

  it('have them with the options of the URL too', async () => {
    const url = new URL(inject('databaseUrl') as string);
    url.searchParams.set('options', '-c work_mem=5MB -c TimeZone=Asia/Kolkata');
    const withOptions = await openStore({ databaseUrl: url.href, dataDirectory: '', timeouts: 'request' });
    try {
      const [settings] = await withOptions.db.rows(sql`
        SELECT current_setting('work_mem') AS work_mem, current_setting('TimeZone') AS zone, current_setting('jit') AS jit`);
      expect(settings).toEqual({ work_mem: '5MB', zone: 'UTC', jit: 'off' });
    } finally {
      await withOptions.close();
    }
  });
});
