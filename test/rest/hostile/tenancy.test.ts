import { expect, it } from 'vitest';
import { newId } from '../../../src/domain/values/ids.ts';
import { visible } from '../../support/contract.ts';
import { person } from '../../support/data.ts';
import { recordsOf } from '../../support/records.ts';
import { expectRefusal } from '../../support/requests/refusal.ts';
import { onOneStore } from '../../support/service.ts';

onOneStore((service) => {
  /** Two unrelated organizations, and a member of the second. */
  async function twoOrganizations() {
    const [own, foreign] = await Promise.all([service.organization(), service.organization()]);
    const { data: member } = (await foreign.post('/members', person({ city: 'Turin' }))).json;
    return { own, foreign, member };
  }

  it("responds to another organization's member id as to an unknown one", async () => {
    const { own, member } = await twoOrganizations();
    const answer = await own.get(`/members/${member.id}`);
    expectRefusal(answer, 404, 'not_found', 'Member not found');
    expect(visible(answer)).toEqual(visible(await own.get(`/members/${newId('mem')}`)));
  });

  it("rejects changing another organization's member as unknown, and leaves it unchanged", async () => {
    const { own, foreign, member } = await twoOrganizations();
    const answer = await own.patch(`/members/${member.id}`, { city: 'Rome' });
    expectRefusal(answer, 404, 'not_found', 'Member not found');
    expect(visible(answer)).toEqual(visible(await own.patch(`/members/${newId('mem')}`, { city: 'Rome' })));
    expect((await foreign.get(`/members/${member.id}`)).json.data).toEqual(member);
  });

  it("rejects tagging another organization's member as unknown, and leaves its tags unchanged", async () => {
    const { own, foreign, member } = await twoOrganizations();
    const [ours, theirs] = await Promise.all([own, foreign].map(({ id }) => recordsOf(service, id).tag()));
    await foreign.patch(`/members/${member.id}/tags`, { add: [theirs?.id] });
    const change = { add: [ours?.id], remove: [theirs?.id] };
    const answer = await own.patch(`/members/${member.id}/tags`, change);
    expectRefusal(answer, 404, 'not_found', 'Member not found');
    expect(visible(answer)).toEqual(visible(await own.patch(`/members/${newId('mem')}/tags`, change)));
    const { data } = (await foreign.patch(`/members/${member.id}/tags`, {})).json;
    expect(data.map(({ id }: { id: string }) => id)).toEqual([theirs?.id]);
  });

  it("treats another organization's tag as unknown", async () => {
    const { own, foreign } = await twoOrganizations();
    const { id } = (await own.post('/members', person())).json.data;
    const tag = await recordsOf(service, foreign.id).tag();
    const answer = await own.patch(`/members/${id}/tags`, { add: [tag.id] });
    expect(answer.json).toEqual({ data: [] });
    expect(visible(answer)).toEqual(visible(await own.patch(`/members/${id}/tags`, { add: [newId('tag')] })));
  });

  it("responds to another organization's prayer request as to an unknown one", async () => {
    const { own, foreign } = await twoOrganizations();
    const { id } = (await foreign.post('/prayer-requests', { description: 'Rain' })).json.data;
    const answer = await own.get(`/prayer-requests/${id}`);
    expectRefusal(answer, 404, 'not_found', 'Prayer request not found');
    expect(visible(answer)).toEqual(visible(await own.get(`/prayer-requests/${newId('pry')}`)));
  });

  it("responds to the responses of another organization's form as to those of an unknown one", async () => {
    const { own, foreign } = await twoOrganizations();
    const records = recordsOf(service, foreign.id);
    const form = await records.form();
    await records.formResponse(form.id);
    const answer = await own.get(`/forms/${form.id}/responses`);
    expectRefusal(answer, 404, 'not_found', 'Form not found');
    expect(visible(answer)).toEqual(visible(await own.get('/forms/2147483647/responses')));
  });

  it("responds to another organization's form response as to an unknown one", async () => {
    const { own, foreign } = await twoOrganizations();
    const records = recordsOf(service, foreign.id);
    const form = await records.form();
    const response = await records.formResponse(form.id, { 1: 'secret' });
    const answer = await own.get(`/forms/${form.id}/responses/${response.id}`);
    expectRefusal(answer, 404, 'not_found');
    expect(visible(answer)).toEqual(visible(await own.get(`/forms/${form.id}/responses/${newId('frs')}`)));
  });

  it("does not find another organization's response under a form of the caller", async () => {
    const { own, foreign } = await twoOrganizations();
    const theirs = await recordsOf(service, foreign.id).form();
    const response = await recordsOf(service, foreign.id).formResponse(theirs.id);
    const form = await recordsOf(service, own.id).form();
    expectRefusal(await own.get(`/forms/${form.id}/responses/${response.id}`), 404, 'not_found');
  });

  it('responds to a response under another form of the organization as to an unknown one', async () => {
    const organization = await service.organization();
    const records = recordsOf(service, organization.id);
    const [right, wrong] = await Promise.all([records.form(), records.form()]);
    const response = await records.formResponse(right.id);
    expect((await organization.get(`/forms/${right.id}/responses/${response.id}`)).status).toBe(200);
    const answer = await organization.get(`/forms/${wrong.id}/responses/${response.id}`);
    expectRefusal(answer, 404, 'not_found');
    expect(visible(answer)).toEqual(visible(await organization.get(`/forms/${wrong.id}/responses/${newId('frs')}`)));
  });

  it("rejects another organization's designation on creation as unknown, and creates nothing", async () => {
    const { own, foreign } = await twoOrganizations();
    const designation = await recordsOf(service, foreign.id).designation();
    const body = person({ designation_id: designation.id });
    const answer = await own.post('/members', body);
    expectRefusal(answer, 400, 'invalid_request');
    expect(visible(answer)).toEqual(visible(await own.post('/members', { ...body, designation_id: newId('dsg') })));
    expect((await own.get('/members')).json.data).toEqual([]);
  });

  it("rejects another organization's designation on change as unknown, and changes nothing", async () => {
    const { own, foreign } = await twoOrganizations();
    const designation = await recordsOf(service, foreign.id).designation();
    const { data: member } = (await own.post('/members', person())).json;
    const path = `/members/${member.id}`;
    const answer = await own.patch(path, { city: 'Rome', designation_id: designation.id });
    expectRefusal(answer, 400, 'invalid_request');
    expect(visible(answer)).toEqual(visible(await own.patch(path, { city: 'Rome', designation_id: newId('dsg') })));
    expect((await own.get(path)).json.data).toEqual(member);
  });

  it.each(['members', 'forms', 'events', 'services', 'departments', 'tags', 'designations'])(
    "lists and searches only %s of the caller's organization",
    async (list) => {
      const { own, foreign } = await twoOrganizations();
      const records = recordsOf(service, foreign.id);
      await Promise.all([
        foreign.post('/members', person({ first_name: 'Elsewhere' })),
        records.form({ title: 'Elsewhere' }),
        records.event({ title: 'Elsewhere' }),
        records.service({ title: 'Elsewhere' }),
        records.department({ name: 'Elsewhere' }),
        records.tag({ name: 'Elsewhere' }),
        records.designation({ name: 'Elsewhere' }),
      ]);
      expect((await foreign.get(`/${list}?q=elsewhere`)).json.data).toHaveLength(1);
      for (const path of [`/${list}`, `/${list}?q=elsewhere`, `/${list}?q=e`]) {
        expect((await own.get(path)).json.data).toEqual([]);
      }
    },
  );

  it("counts and returns only members of the caller's organization in a department", async () => {
    const [one, two] = await Promise.all([service.organization(), service.organization()]);
    const body = person();
    const { id } = (await one.post('/members', body)).json.data;
    await two.post('/members', body);
    const others = [(await two.post('/members', person())).json.data.id, id];
    await recordsOf(service, one.id).department({ headId: id }, [id]);
    await recordsOf(service, two.id).department({}, others);
    const [ours] = (await one.get('/departments')).json.data;
    expect([ours.member_ids, ours.members_count]).toEqual([[id], 1]);
    const [theirs] = (await two.get('/departments')).json.data;
    expect([theirs.member_ids, theirs.members_count]).toEqual([others, 2]);
  });
});
