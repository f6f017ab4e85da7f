import { type Html, html } from './html.ts';

const timeFormat = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'UTC',
});

const dayFormat = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** `9 Nov` @param day `2026-11-09` */
export function formatDay(day: string): string {
  return dayFormat.format(new Date(day));
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
export function formatRelative(iso: string): Html {
  const distance = Date.parse(iso) - Date.now();
  const [unit, size] = UNITS.find(([, ms]) => Math.abs(distance) >= ms) ?? [];
  const text = unit ? relativeFormat.format(Math.trunc(distance / size), unit) : 'now';
  return html`<time datetime="${iso}" title="${timeFormat.format(new Date(iso))} UTC">${text}</time>`;
}

/** A time (ISO 8601) to the minute in UTC, because pages without script do not know the local time zone. */
export function formatTime(iso: string): Html {
  return html`<time datetime="${iso.slice(0, 'yyyy-mm-ddThh:mm'.length)}Z">${timeFormat.format(new Date(iso))} UTC</time>`;
}
