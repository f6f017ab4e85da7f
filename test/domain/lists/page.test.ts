import { describe, expect, it } from 'vitest';
import { routes } from '../../../src/rest/routes.ts';
import { listIn, recordIn } from '../../support/contract.ts';
import { person, times } from '../../support/data.ts';
import { DERIVED_ENTITIES, segmentOf } from '../../support/derived-records.ts';
import { type Records, recordsOf } from '../../support/records.ts';
import { onOneDatabase, type TestOrganization } from '../../support/service.ts';

type Make = (organization: TestOrganization, records: Records, n: number) => Promise<{ id: string | number }>;

/** How each list without a required id gets a record. */
const LISTS: Record<string, Make> = {
  '/members': async (organization) => recordIn(await organization.post('/members', person()), 201),
  '/forms': (_, records, n) => records.form({ title: `Row ${n}` }),
  '/departments': (_, records, n) => records.department({ name: `Row ${n}` }),
  '/tags': (_, records, n) => records.tag({ name: `Row ${n}` }),
  ...Object.fromEntries(
    DERIVED_ENTITIES.map(({ name, entity }): [string, Make] => [
      `/${segmentOf(entity)}`,
      async (_, records) => ({ id: await records.required(name) }),
    ]),
  ),
};

onOneDatabase((service) => {
  const idsIn = (answer: Parameters<typeof listIn>[0]) => listIn(answer).map(({ id }: { id: string }) => id);
  const titlesIn = (answer: Parameters<typeof listIn>[0]) =>
    listIn(answer).map(({ title }: { title: string }) => title);

  /** An organization with `count` events, whose titles are numbered in insertion order. */
  async function withEvents(count: number) {
    const organization = await service.organization();
    const titles = times(count, (n) => `Event ${n + 1}`);
    await recordsOf(service, organization.id).events(titles);
    return { organization, titles };
  }

  it('is tested here for every list', () => {
    // The change feed returns a cursor on its last page too, and has separate tests.
    const lists = routes.filter(({ id, path }) => id.startsWith('list') && !path.includes('{') && path !== '/changes');
    expect(lists.map(({ path }) => path).sort()).toEqual(Object.keys(LISTS).sort());
  });

  describe.each(Object.entries(LISTS))('of %s', (path, make) => {
    it('returns every row once in insertion order, until has_more is false', async () => {
      const organization = await service.organization();
      const records = recordsOf(service, organization.id);
      const ids: (string | number)[] = [];
      for (const n of times(5, (n) => n)) ids.push((await make(organization, records, n)).id);
      const first = await organization.get(`${path}?limit=2`);
      expect(idsIn(first)).toEqual(ids.slice(0, 2));
      expect(first.json.pagination).toEqual({ next_cursor: expect.stringMatching(/^[\w-]+$/), has_more: true });
      const second = await organization.get(`${path}?limit=2&cursor=${first.json.pagination.next_cursor}`);
      expect(idsIn(second)).toEqual(ids.slice(2, 4));
      const last = await organization.get(`${path}?limit=2&cursor=${second.json.pagination.next_cursor}`);
      expect(idsIn(last)).toEqual(ids.slice(4));
      expect(last.json.pagination).toEqual({ next_cursor: null, has_more: false });
    });
  });

  it('has 25 rows by default', async () => {
    const { organization, titles } = await withEvents(26);
    const { json } = await organization.get('/events');
    expect(json.data).toHaveLength(25);
    expect(titlesIn(await organization.get(`/events?cursor=${json.pagination.next_cursor}`))).toEqual([titles[25]]);
  });

  it.each([1, 2, 3, 100])('has up to %i rows for that limit', async (limit) => {
    const { organization, titles } = await withEvents(3);
    expect(titlesIn(await organization.get(`/events?limit=${limit}`))).toEqual(titles.slice(0, limit));
  });

  it('is the last one if exactly `limit` rows remain', async () => {
    const { organization, titles } = await withEvents(4);
    const { json } = await organization.get('/events?limit=2');
    const last = await organization.get(`/events?limit=2&cursor=${json.pagination.next_cursor}`);
    expect(titlesIn(last)).toEqual(titles.slice(2));
    expect(last.json.pagination).toEqual({ next_cursor: null, has_more: false });
  });

  it('accepts a different limit with the same cursor', async () => {
    const { organization, titles } = await withEvents(5);
    const { json } = await organization.get('/events?limit=1');
    const next = await organization.get(`/events?limit=3&cursor=${json.pagination.next_cursor}`);
    expect(titlesIn(next)).toEqual(titles.slice(1, 4));
  });

  it('continues a search', async () => {
    const organization = await service.organization();
    await recordsOf(service, organization.id).events(['Tea 1', 'Other', 'Tea 2', 'Tea 3']);
    const { json } = await organization.get('/events?q=tea&limit=2');
    const path = `/events?q=tea&cursor=${json.pagination.next_cursor}`;
    expect(titlesIn(await organization.get(path))).toEqual(['Tea 3']);
  });

  it('keeps insertion order, whatever the dates and later changes', async () => {
    const organization = await service.organization();
    const records = recordsOf(service, organization.id);
    await records.event({ title: 'First', createdAt: new Date('2030-01-01') });
    await records.event({ title: 'Second', createdAt: new Date('2020-01-01') });
    await service.store.prisma.event.updateMany({
      where: { organizationId: organization.id, title: 'First' },
      data: { updatedAt: new Date('2031-01-01'), venue: 'Moved' },
    });
    expect(titlesIn(await organization.get('/events'))).toEqual(['First', 'Second']);
  });

  it('keeps the position of a member that was changed', async () => {
    const organization = await service.organization();
    const ids: string[] = [];
    for (const _ of [1, 2, 3]) ids.push(recordIn(await organization.post('/members', person()), 201).id);
    recordIn(
      await organization.patch(`/members/${ids[0]}`, { last_name: 'Zzz', email_address: person().email_address }),
    );
    expect(idsIn(await organization.get('/members'))).toEqual(ids);
  });
});
