import { expect, it } from 'vitest';
import { updateOrganization } from '../../src/domain/admin/organization.ts';
import { sql } from '../../src/store/sql.ts';
import { expectInvalid } from '../support/contract.ts';
import { person } from '../support/data.ts';
import { graphql } from '../support/graphql.ts';
import { onOneDatabase } from '../support/service.ts';

onOneDatabase((service) => {
  it('a day as updated_since starts in the time zone of the organization, in both APIs', async () => {
    // Midnight does not exist on this day.
    const [time_zone, day, start] = ['America/Santiago', '2026-09-06', '2026-09-06T04:00:00.000Z'];
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
