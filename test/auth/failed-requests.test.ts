import { expect, it } from 'vitest';
import { createFailedRequests, type RefusedRequest } from '../../src/auth/failed-requests.ts';
import { findKeyIds } from '../../src/domain/admin/api-key.ts';
import { listFailedRequests, purgeFailedRequests } from '../../src/domain/admin/failed-request.ts';
import { sql } from '../../src/store/sql.ts';
import { times } from '../support/data.ts';
import { onOneDatabase } from '../support/service.ts';
import { intercepting } from '../support/stores/intercepting.ts';

/** The position of the request ids among the values of the statement. */
const REQUEST_IDS = 8;

const request = (requestId: string): RefusedRequest => ({
  code: 'not_found',
  api: 'rest',
  operation: 'getTag',
  status: 404,
  cost: 1,
  requestId,
});

onOneDatabase((service) => {
  const idsOf = async (keyId: string) =>
    (await listFailedRequests(service.store, await findKeyIds(service.store, keyId))).map(
      ({ request_id }) => request_id,
    );
  const storedOf = async (keyId: string) =>
    (await service.store.db.rows(sql`SELECT 1 FROM api_key_failed_request WHERE api_key_id = ${keyId}`)).length;

  /** A database that counts write statements. */
  const watched = () => {
    const state = { statements: 0 };
    const db = intercepting(service.store.db, () => {
      state.statements++;
    });
    return { db, state };
  };

  it('writes the requests of all keys in one statement, and lists them newest first', async () => {
    const [one, other] = await Promise.all(times(2, async () => (await service.organization()).keyId));
    const { db, state } = watched();
    const requests = createFailedRequests(db, () => {});
    for (const id of ['a', 'b']) requests.record(one as string, request(id));
    requests.record(other as string, request('c'));
    requests.record('key_gone', request('d'));
    await requests.close();
    expect(state.statements).toBe(1);
    expect([await idsOf(one as string), await idsOf(other as string)]).toEqual([['b', 'a'], ['c']]);
    expect(await listFailedRequests(service.store, await findKeyIds(service.store, other as string))).toEqual([
      {
        at: expect.stringMatching(/^\d{4}-.*Z$/),
        api: 'rest',
        operation: 'getTag',
        status: 404,
        code: 'not_found',
        field: null,
        request_id: 'c',
        cost: 1,
      },
    ]);
    await expect(findKeyIds(service.store, 'key_gone')).rejects.toMatchObject({ code: 'not_found' });
  });

  it('writes the 200 latest requests of a key with 20,000 failures, and those of other keys', async () => {
    const [flooded, other] = await Promise.all(times(2, async () => (await service.organization()).keyId));
    const { db, state } = watched();
    const requests = createFailedRequests(db, () => {});
    requests.record(other as string, request('other'));
    for (const n of times(20_000, (n) => n)) requests.record(flooded as string, request(`${n}`));
    await requests.close();
    expect(state.statements).toBe(1);
    expect(await idsOf(flooded as string)).toEqual(times(200, (n) => `${19_999 - n}`));
    expect(await idsOf(other as string)).toEqual(['other']);
  });

  it.each(['at once', 'later'])(
    'keeps the other requests of a key that exceeds its rate limit 1,000 times %s',
    async (when) => {
      const { keyId } = await service.organization();
      const requests = createFailedRequests(service.store.db, () => {});
      for (const id of ['a', 'b']) requests.record(keyId, request(id));
      if (when === 'later') await requests.flush();
      for (const n of times(1_000, (n) => n)) requests.record(keyId, { ...request(`${n}`), code: 'rate_limited' });
      await requests.close();
      const ids = await idsOf(keyId);
      expect([ids.length, ids[0], ...ids.slice(-2)]).toEqual([200, '999', 'b', 'a']);
    },
  );

  /** Records requests of many keys at once, and returns the ids of those that are written. */
  const written = async (record: (requests: ReturnType<typeof createFailedRequests>) => void) => {
    const ids: unknown[] = [];
    const write: typeof service.store.db.write = async ({ values }) => {
      ids.push(...((values as unknown[][])[REQUEST_IDS] ?? []));
      return [];
    };
    const requests = createFailedRequests({ ...service.store.db, write }, () => {});
    record(requests);
    await requests.close();
    return ids;
  };

  it('keeps 5,000 requests of all keys in memory, among them those of a key with few', async () => {
    const ids = await written((requests) => {
      for (const n of times(5_000, (n) => n)) requests.record(`key_${n % 25}`, request(`${n}`));
      for (const id of ['first', 'second']) requests.record('key_few', request(id));
    });
    expect(ids).toEqual(expect.arrayContaining(['first', 'second']));
    expect(ids).toHaveLength(5_000);
  });

  it('keeps 5,000 requests in memory whatever many keys exceed their limits', async () => {
    const others = times(5_000, String);
    const ids = await written((requests) => {
      const limited = { ...request('limited'), code: 'rate_limited' as const };
      for (const n of times(1_000, (n) => n)) requests.record(`limited_${n % 50}`, limited);
      for (const id of others) requests.record(`key_${Number(id) % 50}`, request(id));
    });
    expect(new Set(ids)).toEqual(new Set(others));
  });

  it('keeps the 200 latest requests of three instances that write concurrently', async () => {
    const { keyId } = await service.organization();
    const errors: unknown[] = [];
    const instances = times(3, () => createFailedRequests(service.store.db, (error) => errors.push(error)));
    await service.store.db.rows(sql`
      INSERT INTO api_key_failed_request (api_key_id, id, at, api, status, code, request_id, cost)
      SELECT ${keyId}, n, now() - n * interval '1 minute', 'rest', 404, 'not_found', 'old' || n, 1
      FROM generate_series(1, 150) n`);
    for (const n of times(60, (n) => n)) for (const instance of instances) instance.record(keyId, request(`new${n}`));
    await Promise.all(instances.map((instance) => instance.close()));
    expect(errors).toEqual([]);
    expect(await storedOf(keyId)).toBe(200);
    const ids = await idsOf(keyId);
    expect(ids.filter((id) => id.startsWith('new'))).toHaveLength(180);
    expect(ids.slice(180)).toEqual(times(20, (n) => `old${n + 1}`));
  });

  it('finds the oldest request to keep once for each key, even if the statistics are from when the table was empty', async () => {
    const keyIds = await Promise.all(times(5, async () => (await service.organization()).keyId));
    const scans = await service.store.db.transaction(async (db) => {
      await db.rows(sql`DELETE FROM api_key_failed_request`);
      await db.rows(sql`ANALYZE api_key_failed_request`);
      const insert = (first: number, last: number) =>
        db.rows(sql`
          INSERT INTO api_key_failed_request (api_key_id, id, at, api, status, code, request_id, cost)
          SELECT key_id, n, now() + n * interval '1 second', 'rest', 404, 'not_found', 'request' || n, 1
          FROM unnest(${keyIds}::text[]) key_id, generate_series(${first}::int, ${last}::int) n`);
      const countScans = async () => {
        const [table] = await db.rows<{ scans: number }>(sql`
          SELECT (seq_scan + idx_scan)::int AS scans FROM pg_stat_xact_user_tables
          WHERE relname = 'api_key_failed_request'`);
        return table?.scans ?? 0;
      };
      await insert(1, 200);
      const before = await countScans();
      await insert(201, 202);
      return (await countScans()) - before;
    });
    expect(await Promise.all(keyIds.map(storedOf))).toEqual(times(5, () => 200));
    // Once for each key, and once to delete what is older.
    expect(scans).toBeLessThanOrEqual(2 * keyIds.length);
  });

  it('returns requests for seven days, and deletes them afterwards', async () => {
    const { keyId } = await service.organization();
    const requests = createFailedRequests(service.store.db, () => {});
    for (const id of ['old', 'new']) requests.record(keyId, request(id));
    await requests.close();
    await service.store.db.rows(sql`
      UPDATE api_key_failed_request SET at = now() - interval '7 days' + CASE request_id
        WHEN 'new' THEN interval '1 minute' ELSE interval '-1 second' END
      WHERE api_key_id = ${keyId}`);
    expect([await idsOf(keyId), await storedOf(keyId)]).toEqual([['new'], 2]);
    await purgeFailedRequests(service.store.db);
    expect(await storedOf(keyId)).toBe(1);
  });
});
