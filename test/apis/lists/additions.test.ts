import { describe, expect, it } from 'vitest';
import { ALL_SCOPES } from '../../../src/domain/core/scopes.ts';
import { countingApp } from '../../graphql/counting.ts';
import { expectError, expectInvalid, listIn } from '../../support/contract.ts';
import { person } from '../../support/data.ts';
import { graphql } from '../../support/graphql.ts';
import { recordsOf } from '../../support/records.ts';
import { onOneStore } from '../../support/service.ts';

onOneStore((service) => {
  const withMembers = async () => {
    const organization = await service.organization();
    const ids: string[] = [];
    for (const city of ['Riverton', 'Lakeside', 'riverton']) {
      ids.push((await organization.post('/members', person({ city }))).json.data.id);
    }
    const ask = graphql(service.app, organization.key);
    const idsOf = async (args: string) =>
      (await ask(`{ members(${args}) { nodes { id } } }`)).json.data.members.nodes.map(({ id }: { id: string }) => id);
    const listed = async (query: string) =>
      listIn(await organization.get(`/members?${query}`)).map(({ id }: { id: string }) => id);
    return { organization, ids, idsOf, listed };
  };

  it('order by creation is another name of entry, with the same cursors, in both APIs', async () => {
    const { organization, ids, idsOf, listed } = await withMembers();
    const newest = ids.toReversed();
    expect(await listed('order_by=created_at')).toEqual(ids);
    expect(await listed('order_by=-created_at')).toEqual(newest);
    expect(await idsOf('orderBy: { field: CREATED_AT, direction: DESC }')).toEqual(newest);
    const { next_cursor } = (await organization.get('/members?order_by=-created_at&limit=1')).json.pagination;
    expect(await listed(`order_by=-entry&cursor=${next_cursor}`)).toEqual(newest.slice(1));
  });

  it('members are filtered by city, in any letter case, and by the time of creation, in both APIs', async () => {
    const { organization, ids, idsOf, listed } = await withMembers();
    const [first, , third] = ids;
    expect(await listed('city=RIVERTON')).toEqual([first, third]);
    expect(await idsOf('filter: { city: "Riverton" }')).toEqual([first, third]);
    const { created_at } = (await organization.get(`/members/${third}`)).json.data;
    expect(await listed(`created_since=${created_at}`)).toEqual([third]);
    expect(await idsOf(`filter: { createdSince: "${created_at}" }`)).toEqual([third]);
    expect(await listed('created_since=9999-01-01')).toEqual([]);
    expectInvalid(await organization.get('/members?created_since=soon'), 'created_since');
  });

  describe('include=tags', () => {
    const withTag = async () => {
      const { organization, ids } = await withMembers();
      const tag = await recordsOf(service, organization.id).tag();
      await organization.patch(`/members/${ids[1]}/tags`, { add: [tag.id] });
      const tags = (await organization.get(`/members/${ids[1]}/tags`)).json.data;
      return { organization, ids, tags };
    };

    it('adds the tags of each member to lists and single members', async () => {
      const { organization, ids, tags } = await withTag();
      const members = listIn(await organization.get('/members'));
      const expected = members.map((member: { id: string }) => ({ ...member, tags: member.id === ids[1] ? tags : [] }));
      expect(listIn(await organization.get('/members?include=tags'))).toEqual(expected);
      expect((await organization.get(`/members/${ids[1]}?include=tags`)).json.data).toEqual(expected[1]);
    });

    it('reads no more statements than GraphQL', async () => {
      const { organization } = await withTag();
      const { app, during } = countingApp(service);
      const read = async (path: string) =>
        app.fetch(new Request(`http://service.test${path}`, { headers: { 'X-Api-Key': organization.key } }));
      const inRest = await during(() => read('/v1/members?include=tags'));
      const query = encodeURIComponent('{ members { nodes { id tags { id } } pageInfo { endCursor } } }');
      const inGraphQL = await during(() => read(`/graphql?query=${query}`));
      expect([inRest.result.status, inGraphQL.result.status]).toEqual([200, 200]);
      expect(inRest.statements.length).toBe(inGraphQL.statements.length);
    });

    it('needs the scope of tags, and names what can be included', async () => {
      const organization = await service.organization({ scopes: ALL_SCOPES.filter((scope) => scope !== 'tags.view') });
      expectError(await organization.get('/members?include=tags'), 403, 'missing_scope');
      const all = await service.organization();
      expectInvalid(await all.get('/members?include=departments'), 'include');
    });

    it('has an ETag that changes with the tags, and that If-Match compares without them', async () => {
      const { organization, ids, tags } = await withTag();
      const path = `/members/${ids[1]}`;
      const etag = (await organization.get(`${path}?include=tags`)).headers.get('etag') as string;
      await organization.patch(`${path}/tags`, { remove: [tags[0].id] });
      const headers = { 'If-None-Match': etag };
      expect((await organization.request('GET', `${path}?include=tags`, { headers })).status).toBe(200);
      const guarded = { headers: { 'If-Match': etag, 'Content-Type': 'application/json' }, body: '{"city":"Here"}' };
      expect((await organization.request('PATCH', path, guarded)).status).toBe(200);
      expect((await organization.request('PATCH', path, guarded)).status).toBe(412);
    });
  });
});
