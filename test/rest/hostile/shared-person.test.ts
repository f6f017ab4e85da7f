import { expect, it } from 'vitest';
import { person } from '../../support/data.ts';
import { recordsOf } from '../../support/records.ts';
import { expectRefusal } from '../../support/requests/refusal.ts';
import { onOneStore } from '../../support/service.ts';

onOneStore((service) => {
  /** One person in two organizations: all fields set in the first, only the required ones in the second. */
  async function sharedPerson() {
    const [first, second] = await Promise.all([service.organization(), service.organization()]);
    const body = person({ first_name: 'Mirabel', address: '1 Secret Lane', phone_number: '+16502530000' });
    const { data: member } = (await first.post('/members', body)).json;
    const bare = person({ email_address: body.email_address });
    const joined = await second.post('/members', bare);
    return { first, second, member, bare, joined };
  }

  it('adds a person of another organization under the same id, and returns only the fields sent', async () => {
    const { member, bare, joined } = await sharedPerson();
    expect(joined.status).toBe(201);
    expect(joined.json.data).toMatchObject({ ...bare, id: member.id, address: null, phone_number: null, gender: null });
    expect(joined.text).not.toMatch(/Mirabel|Secret|6502530000/);
  });

  it('changes nothing in the other organization when a person is added', async () => {
    const { first, member } = await sharedPerson();
    expect((await first.get(`/members/${member.id}`)).json.data).toEqual(member);
  });

  it('applies a change to a shared person only in the organization that makes it', async () => {
    const { first, second, member } = await sharedPerson();
    const { email_address } = person();
    const changes = { first_name: 'Changed', email_address, city: 'Rome', phone_number: null };
    expect((await second.patch(`/members/${member.id}`, changes)).status).toBe(200);
    expect((await first.get(`/members/${member.id}`)).json.data).toEqual(member);
  });

  it('keeps the tags of a shared person separate in each organization', async () => {
    const { first, second, member } = await sharedPerson();
    const tag = await recordsOf(service, first.id).tag();
    await first.patch(`/members/${member.id}/tags`, { add: [tag.id] });
    expect((await second.patch(`/members/${member.id}/tags`, { remove: [tag.id] })).json.data).toEqual([]);
    expect((await first.patch(`/members/${member.id}/tags`, {})).json.data).toHaveLength(1);
  });

  it('finds a shared person only by fields of the same organization', async () => {
    const { first, second } = await sharedPerson();
    for (const q of ['mirabel', 'secret', '650-253-0000']) {
      expect((await first.get(`/members?q=${q}`)).json.data).toHaveLength(1);
      expect((await second.get(`/members?q=${q}`)).json.data).toEqual([]);
    }
  });

  it('does not reveal the organizations of a person when the address is taken', async () => {
    const { member, bare } = await sharedPerson();
    const third = await service.organization();
    const other = (await third.post('/members', person())).json.data;
    const answer = await third.patch(`/members/${other.id}`, { email_address: bare.email_address });
    expectRefusal(answer, 409, 'email_in_use');
    expect(answer.text).not.toContain(member.id);
    expect(answer.text).not.toMatch(/org_|Mirabel/);
  });
});
