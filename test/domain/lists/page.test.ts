import { expect, it } from 'vitest';
import { listIn } from '../../support/contract.ts';
import { times } from '../../support/data.ts';
import { recordsOf } from '../../support/records.ts';
import { onOneDatabase } from '../../support/service.ts';

onOneDatabase((service) => {
  const titlesIn = (answer: Parameters<typeof listIn>[0]) =>
    listIn(answer).map(({ title }: { title: string }) => title);

  /** An organization with `count` events, whose titles are numbered in insertion order. */
  async function withEvents(count: number) {
    const organization = await service.organization();
    const titles = times(count, (n) => `Event ${n + 1}`);
    await recordsOf(service, organization.id).events(titles);
    return { organization, titles };
  }

  it('has 25 rows by default', async () => {
    const { organization, titles } = await withEvents(26);
    const { json } = await organization.get('/events');
    expect(json.data).toHaveLength(25);
    expect(titlesIn(await organization.get(`/events?cursor=${json.pagination.next_cursor}`))).toEqual([titles[25]]);
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
});
