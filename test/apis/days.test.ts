import { expect, it } from 'vitest';
import { updateOrganization } from '../../src/domain/admin/organization.ts';
import { sql } from '../../src/store/sql.ts';
import { expectInvalid } from '../support/contract.ts';
import { person } from '../support/data.ts';
import { graphql } from '../support/graphql.ts';
import { onOneDatabase } from '../support/service.ts';

/** A time zone, a day, and the moment at which the day begins there. */
const DAYS = [
  ['UTC', '2026-02-03', '2026-02-03T00:00:00.000Z'],
  ['America/New_York', '2026-03-09', '2026-03-09T04:00:00.000Z'],
  // Midnight does not exist on this day.
  ['America/Santiago', '2026-09-06', '2026-09-06T04:00:00.000Z'],
  ['Asia/Beirut', '2026-03-29', '2026-03-28T22:00:00.000Z'],
] as const;

onOneDatabase((service) => {
  it.each(DAYS)('in %s, updated_since=%s starts at %s in both APIs', async (time_zone, day, start) => {
    const organization = await service.organization();
    await updateOrganization(service.store, { id: organization.id, time_zone }, 'test');
    const [before, after] = [
      (await organization.post('/members', person())).json.data.id,
      (await organization.post('/members', person())).json.data.id,
    ];
    await service.store.db.write(sql`
      UPDATE member SET updated_at = ${start}::timestamptz - (CASE WHEN id = ${before} THEN interval '1 ms' ELSE '0' END)
      WHERE organization_id = ${organization.id}`);
    const rest = await organization.get(`/members?updated_since=${day}&count=true`);
    expect(rest.json.data.map(({ id }: { id: string }) => id)).toEqual([after]);
    expect(rest.json.pagination.total_count).toBe(1);
    const { json } = await graphql(service.app, organization.key)(
      'query ($day: DateTime!) { members(filter: { updatedSince: $day }) { nodes { id } } }',
      { day },
    );
    expect(json.data).toEqual({ members: { nodes: [{ id: after }] } });
  });

  it.each(['2026-02-30', '2026-2-3', '2026-02-03T', '0000-01-01', 'today'])(
    'rejects %s, which is neither a time nor a date',
    async (value) => {
      const organization = await service.organization();
      expectInvalid(await organization.get(`/members?updated_since=${value}`), 'updated_since');
    },
  );
});
