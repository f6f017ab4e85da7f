import { z } from 'zod';

const ERROR = 'must be an IANA time zone, for example America/New_York';

/** The name of an IANA time zone. */
export const timeZone = z.string({ error: ERROR }).refine(isTimeZone, { error: ERROR });

/** Whether it is an IANA name: `Intl` also accepts offsets, which ignore daylight saving time. */
function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][\w+/-]{1,63}$/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** Returns the date (`YYYY-MM-DD`) at a time in a time zone. */
export function dayAt(time: Date, timeZone: string): string {
  // Dates in Swedish are written in this format.
  return new Intl.DateTimeFormat('sv', { timeZone }).format(time);
}

/** A minute in milliseconds. */
const MINUTE_MS = 60 * 1_000;

/** An hour in milliseconds. */
export const HOUR_MS = 60 * MINUTE_MS;

/** A day in milliseconds. */
export const DAY_MS = 24 * HOUR_MS;

/** PostgreSQL has no year 0, in which the first day begins east of Greenwich. */
const FIRST_TIME = Date.parse('0001-01-01T00:00:00Z');

/**
 * Returns when a day (`YYYY-MM-DD`) begins in a time zone, as ISO 8601 in UTC. If midnight does not exist because
 * clocks are turned forward, this is the time of the change; if midnight occurs twice, the first one. Not before year 1.
 */
export function startOfDay(day: string, timeZone: string): string {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
  const candidates = [midnight - DAY_MS, midnight + DAY_MS].map((time) => midnight - offsetAt(time, format));
  const inDay = candidates.filter((time) => time + offsetAt(time, format) >= midnight);
  return new Date(Math.max(FIRST_TIME, Math.min(...inDay))).toISOString();
}

/** The offset from UTC in milliseconds: that of `GMT-04:00` is negative. */
function offsetAt(time: number, format: Intl.DateTimeFormat): number {
  const name = format.formatToParts(time).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign, hours, minutes, seconds = '0'] = /([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(name) ?? [];
  if (!sign) return 0;
  return (sign === '-' ? -1 : 1) * ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
}
