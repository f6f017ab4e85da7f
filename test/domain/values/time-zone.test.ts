import { expect, it } from 'vitest';
import { startOfDay, timeZone } from '../../../src/domain/values/time-zone.ts';

it.each([
  ['at midnight UTC', '2026-02-03', 'UTC', '2026-02-03T00:00:00.000Z'],
  ['west of Greenwich', '2026-02-03', 'America/New_York', '2026-02-03T05:00:00.000Z'],
  ['east of Greenwich', '2026-02-03', 'Asia/Kathmandu', '2026-02-02T18:15:00.000Z'],
  ['at 01:00 where midnight does not exist', '2026-09-06', 'America/Santiago', '2026-09-06T04:00:00.000Z'],
  ['at the first of two midnights', '2026-11-01', 'America/Havana', '2026-11-01T04:00:00.000Z'],
  ['after a day that was skipped', '2011-12-31', 'Pacific/Apia', '2011-12-30T10:00:00.000Z'],
  ['by local mean time, with seconds', '0001-01-01', 'America/New_York', '0001-01-01T04:56:02.000Z'],
  ['at the start of the calendar', '0001-01-01', 'Asia/Tokyo', '0001-01-01T00:00:00.000Z'],
])('a day begins %s', (_, day, zone, start) => {
  expect(startOfDay(day, zone)).toBe(start);
});

it.each(['', '+02:00', 'Mars/Olympus', 'America/New York', `A${'a'.repeat(64)}`])('rejects %j', (name) => {
  expect(timeZone.safeParse(name).success).toBe(false);
});
