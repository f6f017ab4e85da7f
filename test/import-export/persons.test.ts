import { expect, it } from 'vitest';
import { sql } from '../../src/store/sql.ts';
import { person, times } from '../support/data.ts';
import { onEachStore } from '../support/service.ts';
import { exported, importText, ndjson } from './imports.ts';

onEachStore((service) => {
  const bringIn = (organizationId: string, name: string, content: string) =>
    importText(service.store, organizationId, name, content);
  const members = (organizationId: string) => exported(service.store, organizationId, 'members');

  it('lets a person known elsewhere join, shows nothing of there, and keeps to three organizations', async () => {
    const [a, b, c, d] = await Promise.all(times(4, () => service.organization()));
    const known = { ...person({ first_name: 'Ada', city: 'Troy' }), external_id: 'x' };
    for (const organization of [a, b, c]) {
      const said = { ...known, first_name: `Ada of ${organization?.id}` };
      expect(await bringIn(organization?.id as string, 'members.ndjson', ndjson(said))).toMatchObject({ created: 1 });
    }
    const fourth = await bringIn(d?.id as string, 'members.ndjson', ndjson(known));
    expect(fourth).toMatchObject({ created: 0, rejected: 1 });
    expect(JSON.parse(fourth.rejectLines[0] as string)._rejected).toMatchObject({ code: 'org_limit_reached' });
    expect((await members(b?.id as string))[0]).toMatchObject({ first_name: `Ada of ${b?.id}` });
    const persons = await service.store.db.rows(sql`
      SELECT DISTINCT id FROM member WHERE email_address = ${known.email_address}`);
    expect(persons).toHaveLength(1);
  });

  it('finds a member who has no external id by the address, and gives the id of the file', async () => {
    const us = await service.organization();
    const body = person();
    const { id } = (await us.post('/members', body)).json.data;
    const said = { ...body, external_id: 'crm-7', city: 'Troy' };
    expect(await bringIn(us.id, 'members.ndjson', ndjson(said))).toMatchObject({ created: 0, updated: 1 });
    expect((await us.get(`/members/${id}`)).json.data).toMatchObject({ city: 'Troy' });
    expect(await bringIn(us.id, 'members.ndjson', ndjson({ external_id: id, city: 'Rome' }))).toMatchObject({
      updated: 1,
    });
    expect(await members(us.id)).toMatchObject([{ external_id: 'crm-7', city: 'Rome' }]);
  });

  it('moves a member to another address, unless it is that of somebody else', async () => {
    const [us, other] = await Promise.all([service.organization(), service.organization()]);
    const [ada, ben] = [person(), person()];
    await bringIn(us.id, 'members.ndjson', ndjson({ ...ada, external_id: '1' }));
    await bringIn(other.id, 'members.ndjson', ndjson(ben));
    const moved = await bringIn(
      us.id,
      'members.ndjson',
      ndjson({ external_id: '1', email_address: person().email_address }),
    );
    expect(moved).toMatchObject({ updated: 1 });
    const held = await bringIn(us.id, 'members.ndjson', ndjson({ external_id: '1', email_address: ben.email_address }));
    expect(JSON.parse(held.rejectLines[0] as string)._rejected).toMatchObject({ code: 'email_in_use' });
    const addresses = await service.store.db.rows(sql`
      SELECT 1 FROM email_address WHERE address = ${ada.email_address}`);
    expect(addresses).toEqual([]);
  });

  it('keeps one person an address when two imports bring in the same people at once', async () => {
    const [a, b] = await Promise.all([service.organization(), service.organization()]);
    const people = times(40, (n) => ({ ...person(), external_id: String(n) }));
    const [one, two] = await Promise.all([
      bringIn(a.id, 'members.ndjson', ndjson(...people)),
      bringIn(b.id, 'members.ndjson', ndjson(...people.toReversed())),
    ]);
    expect([one.created, two.created]).toEqual([40, 40]);
    const [row] = await service.store.db.rows(sql`
      SELECT count(DISTINCT id)::int AS persons FROM member
      WHERE email_address = ANY(${people.map(({ email_address }) => email_address)}::text[])`);
    expect(row).toEqual({ persons: 40 });
  });
});
