import { expect, it } from 'vitest';
import { sql } from '../../../src/store/sql.ts';
import { person, times } from '../../support/data.ts';
import { onOneDatabase } from '../../support/service.ts';

onOneDatabase((service) => {
  it('accepts a person into 3 of 20 organizations at once, and reports the limit to the others', async () => {
    const organizations = await Promise.all(times(20, () => service.organization()));
    const body = person();
    const answers = await Promise.all(organizations.map((organization) => organization.post('/members', body)));
    const created = answers.filter(({ status }) => status === 201);
    const refused = answers.filter(({ status }) => status === 400);
    expect(created).toHaveLength(3);
    expect(refused.map(({ json }) => json.error.code)).toEqual(times(17, () => 'org_limit_reached'));
    expect(new Set(created.map(({ json }) => json.data.id)).size).toBe(1);
    const people = await service.store.db.rows(
      sql`SELECT DISTINCT person_id FROM email_address WHERE address = ${body.email_address}`,
    );
    expect(people).toHaveLength(1);
  });

  it('creates one member for 20 concurrent requests with one address in one organization', async () => {
    const organization = await service.organization();
    const body = person();
    const answers = await Promise.all(times(20, () => organization.post('/members', body)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ json }) => json.error?.code === 'member_exists')).toHaveLength(19);
    expect((await organization.get('/members')).json.data).toHaveLength(1);
  });

  it('enforces the limit of three organizations in the database', async () => {
    const organizations = await Promise.all(times(3, () => service.organization()));
    const body = person();
    const ids = await Promise.all(organizations.map((o) => o.post('/members', body).then(({ json }) => json.data.id)));
    const fourth = await service.organization();
    for (const slot of [1, 2, 3, 4]) {
      const insertion = service.store.db.rows(sql`
        INSERT INTO person_organization (person_id, organization_id, slot) VALUES (${ids[0]}, ${fourth.id}, ${slot}::int)`);
      await expect(insertion).rejects.toThrow(/constraint/);
    }
  });

  it('keeps both of two concurrent changes to different fields', async () => {
    const organization = await service.organization();
    const { json } = await organization.post('/members', person());
    const path = `/members/${json.data.id}`;
    const fields = ['city', 'state', 'zip_code', 'country', 'address', 'marital_status'];
    await Promise.all(fields.map((field) => organization.patch(path, { [field]: `new ${field}` })));
    const { data } = (await organization.get(path)).json;
    for (const field of fields) expect(data[field]).toBe(`new ${field}`);
  });

  it('stays consistent while creations and changes repeatedly take and release an address', async () => {
    const organizations = await Promise.all(times(6, () => service.organization()));
    const { email_address } = person();
    const members = await Promise.all(
      organizations.map(async (organization) => (await organization.post('/members', person())).json.data),
    );
    const answers = await Promise.all(
      times(60, (n) => {
        const [organization, member] = [organizations[n % 6], members[n % 6]];
        const address = n % 12 < 6 ? email_address : member.email_address;
        return n % 5 === 0
          ? organization?.post('/members', { ...person(), email_address })
          : organization?.patch(`/members/${member.id}`, { email_address: address });
      }),
    );
    expect(answers.filter((answer) => (answer?.status ?? 0) >= 500)).toEqual([]);
    const holders = await service.store.db.rows(sql`
      SELECT DISTINCT id FROM member WHERE email_address = ${email_address}`);
    expect(holders.length).toBeLessThanOrEqual(1);
  });

  it('ends in a serializable state after 40 concurrent tag changes to one member', async () => {
    const organization = await service.organization();
    const { json } = await organization.post('/members', person());
    const ids = await Promise.all(
      times(4, async (n) => {
        const id = `tag_01jd000000000000000000000${n}`;
        await service.store.db.rows(sql`
          INSERT INTO tag (organization_id, id, name, slug, search_text)
          VALUES (${organization.id}, ${id}, ${`T${n}`}, ${`t${n}`}, ${`T${n}`})`);
        return id;
      }),
    );
    const answers = await Promise.all(
      times(40, (n) =>
        organization.patch(`/members/${json.data.id}/tags`, n % 2 ? { add: ids } : { remove: [...ids].reverse() }),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    for (const answer of answers) expect([0, 4]).toContain(answer.json.data.length);
  });
});
