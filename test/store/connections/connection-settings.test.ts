import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { sql } from '../../../src/store/sql.ts';
import { openStore, type Store } from '../../../src/store/store.ts';

describe.skipIf(!inject('databaseUrl'))('PostgreSQL connections', () => {
  let store: Store;
  beforeAll(async () => {
    store = await openStore({ databaseUrl: inject('databaseUrl'), dataDirectory: '', timeouts: 'request' });
  });
  afterAll(() => store.close());

  it.each([
    ['jit', 'off'],
    ['TimeZone', 'UTC'],
  ])('have %s set to %s', async (name, setting) => {
    const statement = sql`SELECT current_setting(${name}) AS setting`;
    const expected = [{ setting }];
    expect(await store.db.rows(statement)).toEqual(expected);
    expect(await store.reserved.rows(statement)).toEqual(expected);
    expect(await store.prisma.$queryRaw(statement)).toEqual(expected);
  });
});
