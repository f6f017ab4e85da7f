import { type Html, html } from '../../pages/html.ts';

const format = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'UTC',
});

/** A time (ISO 8601) in UTC, because pages without script do not know the local time zone. */
export function formatTime(iso: string): Html {
  return html`<time datetime="${iso}">${format.format(new Date(iso))} UTC</time>`;
}
