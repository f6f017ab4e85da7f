import { expect, it } from 'vitest';
import { ALL_SCOPES } from '../../src/domain/core/scopes.ts';
import { newId } from '../../src/domain/values/ids.ts';
import { appOn, UNCOUNTED } from '../support/apps.ts';
import { expectError, expectInvalid, listIn, recordIn } from '../support/contract.ts';
import { person, times } from '../support/data.ts';
import { errorsIn, graphql } from '../support/graphql.ts';
import { recordsOf } from '../support/records.ts';
import { onOneDatabase, type TestOrganization } from '../support/service.ts';
import { statementsDuring } from '../support/stores/statements.ts';

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

  it('creates a member together with its tags in both APIs', async () => {
    const { organization, ids } = await withTags();
    const tag_ids = [ids.choir, ids.band, ids.choir];
    const member = recordIn(await organization.post('/members', person({ tag_ids })), 201);
    expect(await storedTags(organization, member.id)).toEqual([ids.band, ids.choir].sort());
    const { json } = await graphql(service.app, organization.key)(
      'mutation ($input: CreateMemberInput!) { createMember(input: $input) { member { tags { name } } } }',
      { input: { firstName: 'A', lastName: 'B', emailAddress: person().email_address, tagIds: [ids.choir] } },
    );
    expect(json.data).toEqual({ createMember: { member: { tags: [{ name: 'Choir' }] } } });
  });

  it.each(['unknown', 'private', 'malformed', 'foreign'])('creates no member with a tag that is %s', async (kind) => {
    const { organization, ids } = await withTags();
    const foreign = (await withTags()).ids.choir;
    const wrong = { unknown: newId('tag'), private: ids.secret, malformed: 'choir', foreign }[kind] as string;
    const body = person({ tag_ids: [ids.choir, wrong] });
    const answer = await organization.post('/members', body);
    expectInvalid(answer, 'tag_ids');
    expect(answer.json.error.message).toContain(wrong);
    expect(listIn(await organization.get('/members'))).toEqual([]);
    recordIn(await organization.post('/members', { ...body, tag_ids: [ids.choir] }), 201);
  });

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

  it('updates no field of a member when a tag is unknown', async () => {
    const { organization, ids } = await withTags();
    const member = recordIn(await organization.post('/members', person({ tag_ids: [ids.choir] })), 201);
    const unknown = newId('tag');
    const answer = await organization.patch(`/members/${member.id}`, { city: 'Troy', tag_ids: [ids.band, unknown] });
    expectInvalid(answer, 'tag_ids');
    const mutation = `mutation ($id: ID!, $ids: [ID!]) {
      updateMember(input: { id: $id, city: "Troy", tagIds: $ids }) { member { id } } }`;
    const twin = await graphql(service.app, organization.key)(mutation, { id: member.id, ids: [unknown] });
    expect(errorsIn(twin)).toEqual([{ code: 'invalid_request', path: 'updateMember' }]);
    expect(twin.json.errors[0].extensions.details[0].field).toBe('tagIds');
    expect(recordIn(await organization.get(`/members/${member.id}`))).toEqual(member);
    expect(await storedTags(organization, member.id)).toEqual([ids.choir]);
  });

  it('requires the tag scope only to create a member with tags', async () => {
    const { organization, ids } = await withTags();
    const creator = await organization.withScopes(...ALL_SCOPES.filter((scope) => scope !== 'members.update'));
    const answer = await creator.post('/members', person({ tag_ids: [ids.choir] }));
    expectError(answer, 403, 'missing_scope', 'This API key lacks the scope members.update');
    expect(listIn(await organization.get('/members'))).toEqual([]);
    recordIn(await creator.post('/members', person({ tag_ids: null })), 201);
  });

  it('rejects 101 tags, and tags by another name', async () => {
    const { organization } = await withTags();
    expectInvalid(await organization.post('/members', person({ tag_ids: times(101, () => newId('tag')) })), 'tag_ids');
    const answer = await organization.post('/members', person({ tags: [] }));
    expectInvalid(answer, 'tags');
    expect(answer.json.error.message).toBe('tags: use tag_ids');
  });

  it('creates a member with 100 tags in as many statements as with one, and replays the response', async () => {
    const organization = await service.organization({ app: appOn(service, { keyUsage: UNCOUNTED }) });
    const records = recordsOf(service, organization.id);
    const ids = (await Promise.all(times(100, (n) => records.tag({ name: `Tag ${n}` })))).map(({ id }) => id);
    const create = (tag_ids: string[], headers = {}) => organization.post('/members', person({ tag_ids }), headers);
    const one = await statementsDuring(() => create(ids.slice(0, 1)));
    expect(await statementsDuring(() => create(ids))).toHaveLength(one.length);
    const body = person({ tag_ids: ids });
    const first = await organization.post('/members', body, { 'Idempotency-Key': 'once' });
    const again = await organization.post('/members', body, { 'Idempotency-Key': 'once' });
    expect([first.status, again.text]).toEqual([201, first.text]);
  });
});
