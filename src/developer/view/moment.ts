import { type Html, html } from '../../pages/html.ts';

const format = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'UTC',
});

/** A moment (ISO 8601) as people read it, in UTC: pages without script do not know the reader's own time. */
export function moment(iso: string): Html {
  return html`<time datetime="${iso}">${format.format(new Date(iso))} UTC</time>`;
}
