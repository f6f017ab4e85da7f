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

/** A time (ISO 8601) to the minute in UTC, because pages without script do not know the local time zone. */
export function formatTime(iso: string): Html {
  return html`<time datetime="${iso.slice(0, 'yyyy-mm-ddThh:mm'.length)}Z">${timeFormat.format(new Date(iso))} UTC</time>`;
}
