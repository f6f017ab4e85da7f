import { describe, expect, it } from 'vitest';

const { datesOf, entriesOf } = await import('../../../docs/examples/calendar.js' as string);

describe('the dates of a recurring service', () => {
  const weekly = { startDate: '2026-01-13', endDate: null, frequency: 'weekly', days: ['Tuesday', 'Thursday'] };
  const monthly = { startDate: '2026-02-04', endDate: null, frequency: 'monthly', days: ['Wednesday'] };

  it.each([
    ['are in the range', weekly, '2026-02-27', '2026-03-06', ['2026-03-03', '2026-03-05']],
    ['begin on its first day', weekly, '2026-01-01', '2026-01-15', ['2026-01-13', '2026-01-15']],
    ['end on its last day', { ...weekly, endDate: '2026-01-15' }, '2026-01-14', '2026-02-28', ['2026-01-15']],
    ['do not exist before its first day', weekly, '2025-12-01', '2025-12-31', []],
    [
      'are the first weekday of each month',
      monthly,
      '2026-02-01',
      '2026-04-30',
      ['2026-02-04', '2026-03-04', '2026-04-01'],
    ],
  ])('%s', (_, service, from, until, dates) => {
    expect(datesOf(service, from, until)).toEqual(dates);
  });
});

describe('the entries of a calendar', () => {
  const series = {
    id: 'svc_1',
    title: 'Worship',
    date: null,
    startDate: '2026-03-01',
    endDate: null,
    frequency: 'weekly',
  };
  const worship = { ...series, days: ['Sunday'], startTime: '09:00', recurringId: 'rec_1' };
  const baptism = { id: 'svc_2', title: 'Baptism', date: '2026-03-08', startTime: '10:00', recurringId: 'rec_1' };
  const retreat = {
    id: 'evt_1',
    title: 'Retreat',
    dates: ['2026-02-28', '2026-03-01'].map((date) => ({ date, startTime: '08:00', endTime: null })),
  };

  it('are one for each date in the range, in order of time, without dates that another service replaces', () => {
    const result = { events: { nodes: [retreat] }, services: { nodes: [worship, baptism] } };
    const entries = entriesOf(result, '2026-03-01', '2026-03-15');
    expect(entries.map(({ date, title }: { date: string; title: string }) => `${date} ${title}`)).toEqual([
      '2026-03-01 Retreat',
      '2026-03-01 Worship',
      '2026-03-08 Baptism',
      '2026-03-15 Worship',
    ]);
  });

  it('include a service without a series beside a recurring one without an id of its series', () => {
    const services = [
      { ...worship, recurringId: null },
      { ...baptism, recurringId: null },
    ];
    const entries = entriesOf({ events: { nodes: [] }, services: { nodes: services } }, '2026-03-08', '2026-03-08');
    expect(entries.map(({ title }: { title: string }) => title)).toEqual(['Worship', 'Baptism']);
  });
});
