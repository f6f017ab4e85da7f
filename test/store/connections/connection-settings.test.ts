import { describe, expect, inject, it } from 'vitest';
import { sql } from '../../../src/store/sql.ts';
import { openStore } from '../../../src/store/store.ts';

describe.skipIf(!inject('databaseUrl'))('PostgreSQL connections', () => {
  it('have the time zone UTC, and the other options of the URL', async () => {
    const url = new URL(inject('databaseUrl') as string);
    url.searchParams.set('options', '-c work_mem=5MB -c TimeZone=Asia/Kolkata');
    const store = await openStore({ databaseUrl: url.href, dataDirectory: '', timeouts: 'request' });
    try {
      const statement = sql`
        SELECT current_setting('work_mem') AS work_mem, current_setting('TimeZone') AS zone, current_setting('jit') AS jit`;
      const settings = [{ work_mem: '5MB', zone: 'UTC', jit: 'off' }];
      for (const { rows } of [store.db, store.reserved]) expect(await rows(statement)).toEqual(settings);
      expect(await store.prisma.$queryRaw(statement)).toMatchObject([{ zone: 'UTC' }]);
    } finally {
      await store.close();
    }
  });
});
