import { beforeAll, describe, expect, it } from 'vitest';
import { LIST_NAMES, type List, listOf } from '../apis/lists/lists.ts';
import { expectError } from '../support/contract.ts';
import { person } from '../support/data.ts';
import { recordsOf } from '../support/records.ts';
import { onOneStore } from '../support/service.ts';

onOneStore((service) => {
  const idsOf = ({ json }: { json: { data: readonly { id: unknown }[] } }) => json.data.map(({ id }) => id);

  describe.each(LIST_NAMES)('the list of %s', (name) => {
    let list: List;
    let all: readonly unknown[];
    const read = (query: string) => list.organization.get(`${list.path}?${query}`);
    beforeAll(async () => {
      list = await listOf(service, name, 3);
      all = idsOf(await read(''));
    });

    it('is reversed by order_by=-entry, page by page', async () => {
      expect(all).toHaveLength(3);
      expect(idsOf(await read('order_by=-entry'))).toEqual(all.toReversed());
      const first = await read('order_by=-entry&limit=1');
      const second = await read(`order_by=-entry&limit=1&cursor=${first.json.pagination.next_cursor}`);
      expect([...idsOf(first), ...idsOf(second)]).toEqual(all.toReversed().slice(0, 2));
    });

    it('has only the records with the ids that exist, in the order of the list, and their number', async () => {
      const other = await listOf(service, name, 1);
      const [foreign] = idsOf(await other.organization.get(other.path));
      const some = await read(`ids=${all[2]},${foreign},${all[1]}&count=true`);
      expect([idsOf(some), some.json.pagination.total_count]).toEqual([all.slice(1), 2]);
      expect(idsOf(await read(`ids=${foreign}`))).toEqual([]);
    });

    it('rejects malformed ids and more than 100 of them', async () => {
      for (const ids of ['', 'x', 'foo_01jd0000000000000000000000', Array(101).fill(all[0]).join()]) {
        const answer = await read(`ids=${ids}`);
        expectError(answer, 400, 'invalid_request');
        expect(answer.json.error.details[0].field).toBe('ids');
      }
    });
  });

  describe('GET /members?email_address=', () => {
    it('finds the member with this address, in any letter case', async () => {
      const organization = await service.organization();
      const { email_address: address, id } = (await organization.post('/members', person())).json.data;
      await organization.post('/members', person());
      const sent = encodeURIComponent(address.toUpperCase());
      expect(idsOf(await organization.get(`/members?email_address=${sent}`))).toEqual([id]);
      expect(idsOf(await organization.get(`/members?email_address=${address.slice(1)}`))).toEqual([]);
    });
  });

  describe('GET /members/{object_id}/tags', () => {
    it('lists the assignable tags of the member', async () => {
      const organization = await service.organization();
      const tag = await recordsOf(service, organization.id).tag();
      const { id } = (await organization.post('/members', { ...person(), tag_ids: [tag.id] })).json.data;
      const answer = await organization.get(`/members/${id}/tags`);
      expect(answer.json).toEqual({ data: [(await organization.get(`/tags/${tag.id}`)).json.data] });
    });

    it('needs the scopes of members and of tags', async () => {
      const organization = await service.organization();
      const { id } = (await organization.post('/members', person())).json.data;
      for (const scope of ['members.view', 'tags.view'] as const) {
        const only = await organization.withScopes(scope);
        expectError(await only.get(`/members/${id}/tags`), 403, 'missing_scope');
      }
    });
  });

  it('GET /organization returns the organization of a key without scopes of its own', async () => {
    const organization = await service.organization({ scopes: ['tags.view'] });
    const { data } = (await organization.get('/organization')).json;
    expect(data).toEqual({ id: organization.id, name: expect.any(String), country: 'US', time_zone: 'UTC' });
  });

  it('names the member who has the address of a new one', async () => {
    const organization = await service.organization();
    const body = person();
    const { id } = (await organization.post('/members', body)).json.data;
    const { error } = (await organization.post('/members', body)).json;
    expect(error).toEqual({ code: 'member_exists', message: expect.stringContaining(id) });
  });

  it('returns the path of a new record as Location', async () => {
    const organization = await service.organization();
    const created = await organization.post('/members', person());
    const location = created.headers.get('location') as string;
    expect((await organization.get(location.replace('/v1', ''))).text).toBe(created.text);
  });

  it('says when the points of the window are available again', async () => {
    const organization = await service.organization();
    const { headers } = await organization.get('/tags');
    expect(Number(headers.get('x-ratelimit-reset'))).toBeGreaterThan(0);
    expect(Number(headers.get('x-ratelimit-reset'))).toBeLessThanOrEqual(60);
  });

  it('announces the end of the parameter search', async () => {
    const organization = await service.organization();
    const { headers } = await organization.get('/tags?search=a');
    expect(headers.get('deprecation')).toMatch(/^@\d+$/);
    expect(Date.parse(headers.get('sunset') as string)).toBeGreaterThan(Date.UTC(2027, 10, 26));
    expect((await organization.get('/tags?q=a')).headers.has('deprecation')).toBe(false);
  });
});
