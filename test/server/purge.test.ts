import { expect, it } from 'vitest';
import { purgeExpired } from '../../src/server/purge.ts';
import type { RetentionDays } from '../../src/settings.ts';
import { sql } from '../../src/store/sql.ts';
import { feedOf } from '../apis/changes/feed.ts';
import { changesAfter } from '../support/changes.ts';
import { expectError } from '../support/contract.ts';
import { onEachStore } from '../support/service.ts';

/** Older than any row of other tests, with which this one shares the database. */
const [DAYS, OLD_DAYS] = [3_000, 3_001];

onEachStore((service) => {
  const purge = async (days: RetentionDays) => {
    const failures: unknown[] = [];
    await purgeExpired(service.store.db, days, (error) => failures.push(error));
    expect(failures).toEqual([]);
  };
  const rows = <Row>(statement: Parameters<typeof service.store.db.rows>[0]) => service.store.db.rows<Row>(statement);

  it('deletes old audit entries in batches, except changes to keys, only if a setting says so', async () => {
    const { id } = await service.organization();
    await rows(sql`
      INSERT INTO audit_entry (organization_id, channel, operation, result, at)
      SELECT ${id}, 'rest', operation, 'ok', now() - days * interval '1 day'
      FROM unnest(ARRAY['createMember', 'rotateApiKey']) operation, unnest(${[OLD_DAYS, DAYS - 1]}::int[]) days,
        generate_series(1, 1200) n WHERE n <= CASE operation WHEN 'createMember' THEN 1200 ELSE 1 END`);
    const entries = () =>
      rows(sql`
        SELECT operation, count(*)::int AS count FROM audit_entry
        WHERE organization_id = ${id} AND operation NOT LIKE 'create%y' AND operation <> 'createOrganization'
        GROUP BY 1 ORDER BY 1`);
    await purge({});
    expect(await entries()).toEqual([
      { operation: 'createMember', count: 2_400 },
      { operation: 'rotateApiKey', count: 2 },
    ]);
    await purge({ audit: DAYS });
    expect(await entries()).toEqual([
      { operation: 'createMember', count: 1_200 },
      { operation: 'rotateApiKey', count: 2 },
    ]);
  });

  it('never deletes the audit entries of the last seven days, nor any by other statements', async () => {
    const { id } = await service.organization();
    await expect(rows(sql`SELECT FROM purge_audit_entries(6, 100)`)).rejects.toThrow('at least 7 days');
    await expect(rows(sql`DELETE FROM audit_entry WHERE organization_id = ${id}`)).rejects.toThrow('append-only');
    await expect(rows(sql`UPDATE audit_entry SET result = '' WHERE organization_id = ${id}`)).rejects.toThrow(
      'append-only',
    );
  });

  it('deletes the old usage of keys, but not their history and the operations they used', async () => {
    const { keyId } = await service.organization();
    await rows(sql`
      WITH used AS (
        INSERT INTO api_key_usage (api_key_id, day, points)
        SELECT ${keyId}, current_date - days, 7 FROM unnest(${[OLD_DAYS + 1, DAYS - 1]}::int[]) days RETURNING *
      ), counted AS (
        INSERT INTO api_key_operation_usage (api_key_id, operation, scope, requests, last_used_at)
        VALUES (${keyId}, 'listTags', 'tags.view', 1, now() - ${OLD_DAYS}::int * interval '1 day')
      )
      INSERT INTO api_key_scope_usage (api_key_id, day, scope, requests) SELECT api_key_id, day, 'tags.view', 1 FROM used`);
    await rows(sql`UPDATE api_key SET first_used_at = now() - ${OLD_DAYS}::int * interval '1 day' WHERE id = ${keyId}`);
    await purge({ keyUsage: DAYS });
    const [left] = await rows(sql`
      SELECT (SELECT count(*)::int FROM api_key_usage WHERE api_key_id = ${keyId}) AS days,
        (SELECT count(*)::int FROM api_key_scope_usage WHERE api_key_id = ${keyId}) AS scopes,
        (SELECT count(*)::int FROM api_key_operation_usage WHERE api_key_id = ${keyId}) AS operations,
        first_used_at IS NOT NULL AS has_history FROM api_key WHERE id = ${keyId}`);
    expect(left).toEqual({ days: 1, scopes: 1, operations: 1, has_history: true });
  });

  it('deletes the usage of keys by hour after two days', async () => {
    const { keyId } = await service.organization();
    await rows(sql`
      INSERT INTO api_key_hourly_usage (api_key_id, hour, points)
      SELECT ${keyId}, now() - hours * interval '1 hour', hours FROM unnest('{47,49}'::int[]) hours`);
    await purge({});
    expect(await rows(sql`SELECT points::int FROM api_key_hourly_usage WHERE api_key_id = ${keyId}`)).toEqual([
      { points: 47 },
    ]);
  });

  it('deletes removed records from the feed, and refuses only the cursors that would miss one', async () => {
    const { organization, member, create, run } = await feedOf(service);
    const [first, tag] = [await member(), await create.tags()];
    const feed = (cursor?: string, query = '') =>
      organization.get(`/changes?limit=1${query}${cursor ? `&cursor=${cursor}` : ''}`);
    const started = (await feed()).json.pagination.next_cursor;
    const { cursor: current } = await changesAfter(organization, undefined);
    const onlyTags = (await feed(undefined, '&resources=tags')).json.pagination.next_cursor;
    await run(`DELETE FROM member WHERE organization_id = '${organization.id}'`);
    await run(
      `UPDATE record_change SET at = now() - interval '${OLD_DAYS} days' WHERE organization_id = '${organization.id}'`,
    );
    const walkBegunAfterwards = (await feed()).json.pagination.next_cursor;
    await purge({ removedRecords: DAYS });

    for (const cursor of [started, current]) expectError(await feed(cursor), 400, 'invalid_cursor');
    expect((await feed(onlyTags, '&resources=tags')).json.data).toEqual([]);
    const { changes } = await changesAfter(organization, undefined);
    expect(changes.map(({ id }) => id)).toEqual([tag]);
    expect(first).not.toBe(tag);
    // It began after the removal, so that it cannot have the record.
    const next = await feed(walkBegunAfterwards);
    expect(next.status).toBe(200);
    await purge({ removedRecords: DAYS });
    expect((await feed(next.json.pagination.next_cursor)).status).toBe(200);
  });
});
