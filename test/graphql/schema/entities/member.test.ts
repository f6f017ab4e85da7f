import { expect, it } from 'vitest';
import { person } from '../../../support/data.ts';
import { errorsIn, graphql } from '../../../support/graphql.ts';
import { recordsOf } from '../../../support/records.ts';
import { onOneStore } from '../../../support/service.ts';

onOneStore((service) => {
  async function withMember(fields: Record<string, unknown> = {}) {
    const organization = await service.organization();
    const member = (await organization.post('/members', person(fields))).json.data;
    return {
      organization,
      member,
      ask: graphql(service.app, organization.key),
      records: recordsOf(service, organization.id),
    };
  }

  it('clears a field with a literal null and ignores a variable without a value', async () => {
    const { ask, member } = await withMember({ city: 'Troy', state: 'Ohio' });
    const { json } = await ask(
      `mutation ($id: ID!, $state: String) {
        updateMember(input: { id: $id, city: null, state: $state }) { member { city state } } }`,
      { id: member.id },
    );
    expect(json.data.updateMember.member).toEqual({ city: null, state: 'Ohio' });
  });

  it('returns from each mutation the results of previous ones, despite cached records', async () => {
    const { ask, member, records } = await withMember();
    const [choir, band] = [await records.tag({ name: 'Choir' }), await records.tag({ name: 'Band' })];
    const { json } = await ask(
      `mutation ($id: ID!, $choir: ID!, $band: ID!) {
        a: updateMember(input: { id: $id, firstName: "A" }) { member { firstName tags { name } } }
        b: updateMemberTags(input: { id: $id, add: [$choir] }) { member { firstName tags { name } } tags { name } }
        c: updateMember(input: { id: $id, firstName: "C" }) { member { firstName tags { name } } }
        d: updateMemberTags(input: { id: $id, add: [$band], remove: [$choir] }) { member { firstName tags { name } } } }`,
      { id: member.id, choir: choir.id, band: band.id },
    );
    expect(json.data).toEqual({
      a: { member: { firstName: 'A', tags: [] } },
      b: { member: { firstName: 'A', tags: [{ name: 'Choir' }] }, tags: [{ name: 'Choir' }] },
      c: { member: { firstName: 'C', tags: [{ name: 'Choir' }] } },
      d: { member: { firstName: 'C', tags: [{ name: 'Band' }] } },
    });
  });

  it('continues after a failed mutation and reports each error', async () => {
    const { ask, member, organization } = await withMember();
    const answer = await ask(
      `mutation ($id: ID!) {
        a: updateMember(input: { id: $id, firstName: "" }) { member { id } }
        b: updateMember(input: { id: $id, city: "Kept" }) { member { id } }
        c: updateMember(input: { id: "mem_x", city: "None" }) { member { id } } }`,
      { id: member.id },
    );
    expect(answer.json.data).toEqual({ a: null, b: { member: { id: member.id } }, c: null });
    expect(errorsIn(answer)).toEqual([
      { code: 'invalid_request', path: 'a' },
      { code: 'not_found', path: 'c' },
    ]);
    expect((await organization.get(`/members/${member.id}`)).json.data.city).toBe('Kept');
  });

  it('adds and removes tags and lists the ids that were ignored', async () => {
    const { ask, member, records } = await withMember();
    const [choir, secret] = [await records.tag({ name: 'Choir' }), await records.tag({ privacy: 'private' })];
    const system = await records.tag({ source: 'system' });
    const change = (fields: Record<string, unknown>) =>
      ask(
        'mutation ($input: UpdateMemberTagsInput!) { updateMemberTags(input: $input) { member { id } tags { id } ignoredTagIds } }',
        {
          input: { id: member.id, ...fields },
        },
      );
    const added = await change({ add: [choir.id, secret.id, 'tag_unknown', choir.id], remove: [system.id] });
    expect(added.json.data.updateMemberTags).toEqual({
      member: { id: member.id },
      tags: [{ id: choir.id }],
      ignoredTagIds: [secret.id, 'tag_unknown', system.id],
    });
    expect((await change({})).json.data.updateMemberTags).toMatchObject({
      tags: [{ id: choir.id }],
      ignoredTagIds: [],
    });
    expect((await change({ remove: [choir.id] })).json.data.updateMemberTags).toMatchObject({
      tags: [],
      ignoredTagIds: [],
    });
  });
});
