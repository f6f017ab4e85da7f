import { describe, expect, inject, it } from 'vitest';
import { TIMEOUTS_MS } from '../../../src/store/connections/pool-config.ts';
import { sql } from '../../../src/store/sql.ts';
import { openStore } from '../../../src/store/store.ts';

describe.skipIf(!inject('databaseUrl'))('PostgreSQL connections', () => {
  it('have the time zone UTC, the timeout of statements of requests, and the other options of the URL', async () => {
    const url = new URL(inject('databaseUrl') as string);
    url.searchParams.set('options', '-c work_mem=5MB -c TimeZone=Asia/Kolkata');
    const store = await openStore({ databaseUrl: url.href, dataDirectory: '', timeouts: 'request' });
    try {
      const statement = sql`
        SELECT current_setting('work_mem') AS work_mem, current_setting('TimeZone') AS zone, current_setting('jit') AS jit,
          current_setting('statement_timeout') AS timeout`;
      const timeout = `${TIMEOUTS_MS.request.statement_timeout}ms`;
      const settings = [{ work_mem: '5MB', zone: 'UTC', jit: 'off', timeout }];
      for (const { rows } of [store.db, store.reserved]) expect(await rows(statement)).toEqual(settings);
      expect(await store.prisma.$queryRaw(statement)).toMatchObject([{ zone: 'UTC' }]);
    } finally {
      await store.close();
    }
  });
});
