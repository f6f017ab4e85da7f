import { expect, it } from 'vitest';
import { sql } from '../../../src/store/sql.ts';
import { person, times } from '../../support/data.ts';
import { onOneDatabase } from '../../support/service.ts';
import { codes, exported, importText, ndjson } from '../imports.ts';

onOneDatabase((service) => {
  const importRecords = (organizationId: string, name: string, content: string) =>
    importText(service.store, organizationId, name, content);
  const members = (organizationId: string) => exported(service.store, organizationId, 'members');

  it('adds a person of another organization without revealing it, up to three organizations', async () => {
    const [a, b, c, d] = await Promise.all(times(4, () => service.organization()));
    const shared = { ...person({ first_name: 'Ada', city: 'Troy' }), external_id: 'x' };
    for (const organization of [a, b, c]) {
      const record = { ...shared, first_name: `Ada of ${organization?.id}` };
      expect(await importRecords(organization?.id as string, 'members.ndjson', ndjson(record))).toMatchObject({
        created: 1,
      });
    }
    const fourth = await importRecords(d?.id as string, 'members.ndjson', ndjson(shared));
    expect(fourth).toMatchObject({ created: 0, rejected: 1 });
    expect(codes(fourth)).toEqual(['org_limit_reached']);
    expect((await members(b?.id as string))[0]).toMatchObject({ first_name: `Ada of ${b?.id}` });
    const persons = await service.store.db.rows(sql`
      SELECT DISTINCT id FROM member WHERE email_address = ${shared.email_address}`);
    expect(persons).toHaveLength(1);
  });

  it('matches a member without an external id by email address, and links the external id', async () => {
    const us = await service.organization();
    const body = person();
    const { id } = (await us.post('/members', body)).json.data;
    const record = { ...body, external_id: 'crm-7', city: 'Troy' };
    expect(await importRecords(us.id, 'members.ndjson', ndjson(record))).toMatchObject({ created: 0, updated: 1 });
    expect((await us.get(`/members/${id}`)).json.data).toMatchObject({ city: 'Troy' });
    expect(await importRecords(us.id, 'members.ndjson', ndjson({ external_id: id, city: 'Rome' }))).toMatchObject({
      updated: 1,
    });
    expect(await members(us.id)).toMatchObject([{ external_id: 'crm-7', city: 'Rome' }]);
  });

  it('creates one person per email address in concurrent imports of the same people', async () => {
    const [a, b] = await Promise.all([service.organization(), service.organization()]);
    const people = times(40, (n) => ({ ...person(), external_id: String(n) }));
    const [one, two] = await Promise.all([
      importRecords(a.id, 'members.ndjson', ndjson(...people)),
      importRecords(b.id, 'members.ndjson', ndjson(...people.toReversed())),
    ]);
    expect([one.created, two.created]).toEqual([40, 40]);
    const [row] = await service.store.db.rows(sql`
      SELECT count(DISTINCT id)::int AS persons FROM member
      WHERE email_address = ANY(${people.map(({ email_address }) => email_address)}::text[])`);
    expect(row).toEqual({ persons: 40 });
  });
});
