import { expect, it } from 'vitest';
import { event } from '../../../src/domain/entities/event.ts';
import { kindsOf, listIn } from '../../support/contract.ts';
import { recordsOf } from '../../support/records.ts';
import { emptyKindsOf } from '../../support/requests/described-fields.ts';
import { onOneStore } from '../../support/service.ts';

onOneStore((service) => {
  it('lists events with every field', async () => {
    const organization = await service.organization();
    const dates = [
      { date: '2026-12-24', start_time: '18:00', end_time: '20:00' },
      { date: '2026-12-25', start_time: null, end_time: null },
    ];
    const created = await recordsOf(service, organization.id).event({
      title: 'Christmas',
      description: 'Two days',
      eventType: 'celebration',
      location: 'Springfield',
      venue: 'Main hall',
      dates,
      startTime: '18:00',
      endTime: '20:00',
      maximumParticipants: 200,
      participants: 12,
    });
    const [shown] = listIn(await organization.get('/events'));
    expect(shown).toMatchObject({
      id: created.id,
      title: 'Christmas',
      description: 'Two days',
      event_type: 'celebration',
      location: 'Springfield',
      venue: 'Main hall',
      dates,
      start_time: '18:00',
      end_time: '20:00',
      maximum_participants: 200,
      participants: 12,
      created_at: created.createdAt.toISOString(),
      updated_at: created.updatedAt.toISOString(),
    });
    expect(kindsOf(shown)).toMatchObject({ created_at: 'date-time', updated_at: 'date-time' });
  });

  it('returns null for empty fields, and empty lists of dates and participants', async () => {
    const organization = await service.organization();
    await recordsOf(service, organization.id).event();
    const [shown] = listIn(await organization.get('/events'));
    expect(kindsOf(shown)).toEqual(emptyKindsOf(event));
    expect(shown).toMatchObject({ dates: [], participants: 0 });
  });

  it('does not list an event of another organization', async () => {
    const other = await service.organization();
    await recordsOf(service, other.id).event();
    const organization = await service.organization();
    expect(listIn(await organization.get('/events'))).toEqual([]);
  });
});
