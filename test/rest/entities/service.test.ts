import { expect, it } from 'vitest';
import { service as gathering } from '../../../src/domain/entities/service.ts';
import { kindsOf, listIn } from '../../support/contract.ts';
import { recordsOf } from '../../support/records.ts';
import { emptyKindsOf } from '../../support/requests/described-fields.ts';
import { onOneStore } from '../../support/service.ts';

onOneStore((service) => {
  it('lists services with every field', async () => {
    const organization = await service.organization();
    const record = await recordsOf(service, organization.id).service({
      title: 'Sunday service',
      description: 'Every week',
      schedule: 'recurring',
      date: new Date('2026-01-04'),
      startDate: new Date('2026-01-01'),
      endDate: new Date('2026-12-31'),
      startTime: '10:00',
      endTime: '11:30',
      frequency: 'weekly',
      days: ['sunday', 'wednesday'],
      location: 'Main hall',
      recurringId: 'series-1',
    });
    const [shown] = listIn(await organization.get('/services'));
    expect(shown).toMatchObject({
      id: record.id,
      title: 'Sunday service',
      description: 'Every week',
      schedule: 'recurring',
      date: '2026-01-04',
      start_date: '2026-01-01',
      end_date: '2026-12-31',
      start_time: '10:00',
      end_time: '11:30',
      frequency: 'weekly',
      days: ['sunday', 'wednesday'],
      location: 'Main hall',
      recurring_id: 'series-1',
      created_at: record.createdAt.toISOString(),
      updated_at: record.updatedAt.toISOString(),
    });
    expect(kindsOf(shown)).toMatchObject({ created_at: 'date-time', updated_at: 'date-time' });
  });

  it('returns null for empty fields, and an empty list of days', async () => {
    const organization = await service.organization();
    await recordsOf(service, organization.id).service({ days: [] });
    const [shown] = listIn(await organization.get('/services'));
    expect(kindsOf(shown)).toEqual(emptyKindsOf(gathering));
    expect(shown.days).toEqual([]);
  });

  it('does not list a service of another organization', async () => {
    const other = await service.organization();
    await recordsOf(service, other.id).service();
    const organization = await service.organization();
    expect(listIn(await organization.get('/services'))).toEqual([]);
  });
});
