import { describe, expect, it } from 'vitest';
import { ENTITIES } from '../../src/domain/entities/registry.ts';
import { routes } from '../../src/rest/routes.ts';
import { expectError, expectInvalid } from '../support/contract.ts';
import { person } from '../support/data.ts';
import { idsBySegment } from '../support/derived-records.ts';
import { manyOf } from '../support/many.ts';
import { recordsOf } from '../support/records.ts';
import { onOneStore } from '../support/service.ts';

/** The paths of lists of records. */
const LISTS = routes.filter(({ id, method }) => method === 'GET' && id.startsWith('list') && id !== 'listChanges');

onOneStore((service) => {
  const idsOf = ({ json }: { json: { data: readonly { id: unknown }[] } }) => json.data.map(({ id }) => id);

  describe.each(LISTS.map(({ path }) => path))('GET %s', (template) => {
    const withRecords = async () => {
      const organization = await service.organization();
      const records = recordsOf(service, organization.id);
      await idsBySegment(service, organization.id);
      await idsBySegment(service, organization.id);
      const form = await records.form({ isPublished: true, acceptingResponse: true });
      await records.form();
      for (let n = 0; n < 2; n++) {
        await records.formResponse(form.id, {});
        await records.tag();
        await records.department();
      }
      await organization.post('/members', person());
      await organization.post('/members', person());
      const path = template.replace('{form_id}', String(form.id));
      return { organization, path, all: idsOf(await organization.get(path)) };
    };

    it('is reversed by order_by=-entry, page by page', async () => {
      const { organization, path, all } = await withRecords();
      expect(all.length).toBeGreaterThan(1);
      expect(idsOf(await organization.get(`${path}?order_by=-entry`))).toEqual(all.toReversed());
      const first = await organization.get(`${path}?order_by=-entry&limit=1`);
      const { next_cursor: cursor } = first.json.pagination;
      const second = await organization.get(`${path}?order_by=-entry&limit=1&cursor=${cursor}`);
      expect([...idsOf(first), ...idsOf(second)]).toEqual(all.toReversed().slice(0, 2));
    });

    it('has only the records with ids, in the order of the list', async () => {
      const { organization, path, all } = await withRecords();
      const [first, second] = all;
      expect(idsOf(await organization.get(`${path}?ids=${second},${first}&count=true`))).toEqual([first, second]);
      expect(idsOf(await organization.get(`${path}?ids=${second}`))).toEqual([second]);
    });

    it('ignores ids that do not exist', async () => {
      const { organization, path, all } = await withRecords();
      const other = await withRecords();
      expect(idsOf(await organization.get(`${path}?ids=${other.all[0]},${all[0]}`))).toEqual([all[0]]);
      expect(idsOf(await organization.get(`${path}?ids=${other.all[0]}`))).toEqual([]);
    });

    it('rejects malformed ids and more than 100 of them', async () => {
      const { organization, path, all } = await withRecords();
      for (const ids of ['', 'x', 'foo_01jd0000000000000000000000', Array(101).fill(all[0]).join()]) {
        const answer = await organization.get(`${path}?ids=${ids}`);
        expectError(answer, 400, 'invalid_request');
        expect(answer.json.error.details[0].field).toBe('ids');
      }
    });

    it('counts with count=true', async () => {
      const { organization, path, all } = await withRecords();
      expect((await organization.get(`${path}?count=true`)).json.pagination.total_count).toBe(all.length);
    });
  });

  it.each(['tag_id=ONE,TWO', 'tag_id=ONE&tag_id=TWO', 'tag_id[]=ONE&tag_id[]=TWO', 'tag_id%5B%5D=ONE,TWO'])(
    'accepts a list of ids as %s',
    async (query) => {
      const organization = await service.organization();
      const many = manyOf(service, organization.id);
      const [one, two] = (await many.members(3)) as [string, string];
      const [a] = await many.tags(1, () => [one]);
      const [b] = await many.tags(1, () => [two]);
      const sent = query.replaceAll('ONE', String(a)).replaceAll('TWO', String(b));
      expect(idsOf(await organization.get(`/members?${sent}`))).toEqual([one, two]);
    },
  );

  it.each([
    ['tag_id[0]=tag_01j00000000000000000000001', 'tag_id', expect.stringContaining('write tag_id=a,b')],
    ['limit[]=5', 'limit', 'has one value; write limit=…'],
    ['page=2', 'page', expect.stringContaining('use cursor')],
    ['offset=20', 'offset', expect.stringContaining('use cursor')],
    ['per_page=5', 'per_page', expect.stringContaining('use limit')],
    ['sort=name', 'sort', expect.stringContaining('use order_by')],
    ['fields=id', 'fields', expect.stringContaining('GraphQL')],
    ['include=tags', 'include', expect.stringContaining('GraphQL')],
  ])('rejects ?%s and says what to write', async (query, field, message) => {
    const organization = await service.organization();
    const answer = await organization.get(`/members?${query}`);
    expectInvalid(answer, field);
    expect(answer.json.error.details[0].message).toEqual(message);
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

  it('has every entity of the registry in a list', () => {
    const paths = LISTS.map(({ path }) =>
      path.split('/').at(-1)?.replace('-', '_').replace('responses', 'form_responses'),
    );
    expect(paths.sort()).toEqual(Object.keys(ENTITIES).sort());
  });
});
