import { expect, it } from 'vitest';
import { ALL_SCOPES } from '../../src/domain/core/scopes.ts';
import { expectError, listIn, recordIn } from '../support/contract.ts';
import { person } from '../support/data.ts';
import { graphql } from '../support/graphql.ts';
import { recordsOf } from '../support/records.ts';
import { onOneDatabase, type TestOrganization } from '../support/service.ts';

onOneDatabase((service) => {
  async function withTags() {
    const organization = await service.organization();
    const records = recordsOf(service, organization.id);
    const [choir, band] = [await records.tag({ name: 'Choir' }), await records.tag({ name: 'Band' })];
    const secret = await records.tag({ name: 'Secret', privacy: 'private' });
    return { organization, ids: { choir: choir.id, band: band.id, secret: secret.id } };
  }

  const storedTags = async (organization: TestOrganization, memberId: string) => {
    const where = { organizationId: organization.id, memberId };
    const rows = await service.store.prisma.memberTag.findMany({ where, orderBy: { position: 'asc' } });
    return rows.map(({ tagId }) => tagId).sort();
  };

  it('replaces only the assignable tags of a member, together with other fields', async () => {
    const { organization, ids } = await withTags();
    const { id } = recordIn(await organization.post('/members', person({ tag_ids: [ids.choir] })), 201);
    await service.store.prisma.memberTag.create({
      data: { organizationId: organization.id, memberId: id, tagId: ids.secret },
    });
    const changed = recordIn(await organization.patch(`/members/${id}`, { city: 'Troy', tag_ids: [ids.band] }));
    expect(changed.city).toBe('Troy');
    expect(await storedTags(organization, id)).toEqual([ids.band, ids.secret].sort());
    recordIn(await organization.patch(`/members/${id}`, { city: 'Rome' }));
    expect(await storedTags(organization, id)).toEqual([ids.band, ids.secret].sort());
    const { json } = await graphql(service.app, organization.key)(
      'mutation ($id: ID!) { updateMember(input: { id: $id, tagIds: [] }) { member { city tags { id } } } }',
      { id },
    );
    expect(json.data.updateMember.member).toEqual({ city: 'Rome', tags: [] });
    expect(await storedTags(organization, id)).toEqual([ids.secret]);
  });

  it('requires the tag scope to create a member with tags, before it validates the input', async () => {
    const { organization, ids } = await withTags();
    const creator = await organization.withScopes(...ALL_SCOPES.filter((scope) => scope !== 'members.update'));
    const answer = await creator.post('/members', person({ tag_ids: [ids.choir], first_name: '' }));
    expectError(answer, 403, 'missing_scope', 'tag_ids needs the scope members.update, which this API key lacks');
    expect(listIn(await organization.get('/members'))).toEqual([]);
    recordIn(await creator.post('/members', person({ tag_ids: null })), 201);
  });
});
