import { type Html, html } from './html.ts';

const DAY = { day: 'numeric', month: 'short' } as const;

const dayFormat = new Intl.DateTimeFormat('en-GB', { ...DAY, timeZone: 'UTC' });

/** `9 Nov` @param iso a time (ISO 8601) on a day in UTC. */
export function formatDay(iso: string): string {
  return dayFormat.format(new Date(iso));
}

/** The formats of a time zone: the exact time, and the hour. */
function createFormats(timeZone: string) {
  const time = { hour: '2-digit', minute: '2-digit' } as const;
  return {
    timeZone,
    exact: new Intl.DateTimeFormat('en-GB', { ...DAY, year: 'numeric', ...time, timeZoneName: 'short', timeZone }),
    hour: new Intl.DateTimeFormat('en-GB', { ...time, timeZone }),
  };
}

let latest = createFormats('UTC');

/** The formats of a time zone. Those of the latest one are kept: creating them takes longer than formatting a page. */
function formatsOf(timeZone: string): typeof latest {
  if (latest.timeZone !== timeZone) latest = createFormats(timeZone);
  return latest;
}

/** `14:00` */
export function formatHour(iso: string, timeZone: string): string {
  return formatsOf(timeZone).hour.format(new Date(iso));
}

const relativeFormat = new Intl.RelativeTimeFormat('en');

/** The units of relative times, in milliseconds. */
const UNITS = [
  ['year', 365 * 86_400_000],
  ['month', 30 * 86_400_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** A time (ISO 8601) as `3 days ago` or `in 2 hours`, with the exact time on hover. */
export function formatRelative(iso: string, timeZone: string): Html {
  const distance = Date.parse(iso) - Date.now();
  const [unit, size] = UNITS.find(([, ms]) => Math.abs(distance) >= ms) ?? [];
  const text = unit ? relativeFormat.format(Math.trunc(distance / size), unit) : 'now';
  return html`<time datetime="${iso}" title="${exactTime(iso, timeZone)}">${text}</time>`;
}

/** A time (ISO 8601) as `9 Nov 2026, 14:05 GMT-5`. */
export function formatTime(iso: string, timeZone = 'UTC'): Html {
  return html`<time datetime="${iso}">${exactTime(iso, timeZone)}</time>`;
}

function exactTime(iso: string, timeZone: string): string {
  return formatsOf(timeZone).exact.format(new Date(iso));
}
