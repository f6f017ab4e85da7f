import { describe, expect, it } from 'vitest';
import { ENTITIES } from '../../src/domain/entities/registry.ts';
import type { Route } from '../../src/rest/route.ts';
import { routes } from '../../src/rest/routes.ts';
import type { Answer } from '../support/client.ts';
import { expectInvalid } from '../support/contract.ts';
import { person } from '../support/data.ts';
import { onOneStore, type TestOrganization } from '../support/service.ts';

/** The parameters of operations, except of lists that have only what is derived from their entity. */
const LIST_PARAMETERS: Record<string, string> = {
  getMember: 'include',
  listFormResponses: 'limit, cursor, ids, order_by, count',
  listMembers:
    'q, limit, cursor, tag_id, department_id, designation_id, email_address, city, is_guest, updated_since, created_since, ids, order_by, count, include',
  listForms: 'q, limit, cursor, is_published, accepting_response, created_since, ids, order_by, count',
  listEvents: 'q, limit, cursor, from, until, created_since, ids, order_by, count',
  listServices: 'q, limit, cursor, from, until, created_since, ids, order_by, count',
  listPrayerRequests: 'q, limit, cursor, status, created_since, ids, order_by, count',
  listChanges: 'limit, cursor, resources, wait',
};

/** The query parameters of an operation; undefined if it has none. */
function parametersOf(id: string): string | undefined {
  if (!id.startsWith('list') || LIST_PARAMETERS[id]) return LIST_PARAMETERS[id];
  const { entity } = Object.values(ENTITIES).find(({ entity }) => id === `list${nameOf(entity.plural)}`) ?? {};
  return `q, limit, cursor, ${entity?.fields.created_at ? 'created_since, ' : ''}ids, order_by, count`;
}

/** The name of a plural in operations: `PrayerRequests` for “prayer requests”. */
function nameOf(plural: string): string {
  return plural.replaceAll(/(?:^|[ _])(\w)/g, (_, letter: string) => letter.toUpperCase());
}

const send = (organization: TestOrganization, { method, path }: Route, query: string): Promise<Answer> => {
  const target = `${path.replaceAll(/\{\w+\}/g, '1')}?${query}`;
  if (method === 'GET') return organization.get(target);
  if (method === 'DELETE') return organization.request(method, target);
  return organization[method === 'POST' ? 'post' : 'patch'](target, {});
};

onOneStore((service) => {
  describe.each(routes.map((route) => [route.id, route] as const))('of %s', (id, route) => {
    const known = parametersOf(id);

    it('are rejected by name if unknown, and the valid ones are listed', async () => {
      const organization = await service.organization();
      const answer = await send(organization, route, 'filter=a');
      expectInvalid(answer, 'filter');
      const listed = known?.includes(',') ? `use ${known}` : `the only parameter is ${known}`;
      const names = known ? listed : `${route.method} /v1${route.path} has no query parameters`;
      expect(answer.json.error.message).toBe(`filter: unknown parameter; ${names}`);
    });
  });

  it.each([
    ['Q=a', 'Q'],
    ['first=5', 'first'],
    ['after=a', 'after'],
    ['page=1&sort=name', 'page', 'sort'],
    ['filter=a&filter=b', 'filter'],
    ['filter[name]=a', 'filter[name]'],
    ['%66ilter=a', 'filter'],
    ['%FF=a', '%FF'],
    ['=a', '='],
    ['__proto__=a', '__proto__'],
  ])('reports the unknown parameters of %s', async (query, ...names) => {
    const organization = await service.organization();
    expectInvalid(await organization.get(`/members?${query}`), ...names);
  });

  it.each(['', '&', '&limit=1&', 'limit=1'])('accepts %j', async (query) => {
    const organization = await service.organization();
    expect((await organization.get(`/members?${query}`)).status).toBe(200);
  });

  it.each([
    'limit=&cursor=&order_by=&count=&q=',
    'limit=+&cursor=%20',
    'count=True',
    'is_guest=False',
    'is_guest=FALSE',
  ])('reads %s as low-code tools mean it', async (query) => {
    const organization = await service.organization();
    const { json } = await organization.post('/members', person());
    const answer = await organization.get(`/members?${query}`);
    expect([answer.status, answer.json.data]).toEqual([200, [json.data]]);
  });

  it.each([
    'ids=a,+b',
    'ids=a+,b',
    'ids=a&ids=b',
    'ids[]=a&ids[]=b',
    'ids[0]=a&ids[1]=b',
    'ids%5B0%5D=a&ids[]=b',
    'ids%5B%5D=a,b',
  ])('reads %s as a list', async (query) => {
    const organization = await service.organization();
    const ids = await Promise.all([1, 2].map(async () => (await organization.post('/members', person())).json.data.id));
    await organization.post('/members', person());
    const written = query.replace('a', ids[0]).replace(/b$/, ids[1]);
    expect(
      new Set((await organization.get(`/members?${written}`)).json.data.map(({ id }: { id: string }) => id)),
    ).toEqual(new Set(ids));
  });

  it('accepts an empty wait and cursor of changes', async () => {
    const organization = await service.organization();
    expect((await organization.get('/changes?wait=&cursor=&limit=')).status).toBe(200);
  });

  it.each(['is_guest', 'updated_since', 'tag_id', 'email_address', 'ids'])('rejects an empty %s', async (name) => {
    const organization = await service.organization();
    expectInvalid(await organization.get(`/members?${name}=`), name);
  });

  it('limits the number of unknown parameters reported, and their length', async () => {
    const organization = await service.organization();
    const query = Array.from({ length: 200 }, (_, index) => `${'x'.repeat(5)}${index}=1`).join('&');
    const { details } = (await organization.get(`/members?${query}`)).json.error;
    expect(details).toHaveLength(50);
    expectInvalid(await organization.get(`/members?${'y'.repeat(5_000)}=1`), `${'y'.repeat(99)}…`);
  });

  it('are limited to 200', async () => {
    const organization = await service.organization();
    expectInvalid(await organization.get(`/members?${'q=&'.repeat(200)}q=`), 'query');
  });
});
