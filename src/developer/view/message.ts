import { formatTime } from '../../pages/dates.ts';
import { type Html, html } from '../../pages/html.ts';
import type { Page } from '../../pages/layout.ts';
import { HOME } from '../paths.ts';

/** A page with a message. */
export function messagePage(title: string, message: string | Html): Page {
  return {
    title,
    main: html`
      <h1>${title}</h1>
      <p class="lead">${message}</p>
      <p><a href="${HOME}">Back to the developer pages</a></p>`,
  };
}

/** The page while the database cannot be reached. */
export function unreachablePage(since: Date): Page {
  const message = html`The service has not reached its database since ${formatTime(since.toISOString())}. A change
        that you sent may not be stored. Try again, and tell the operator if this lasts.`;
  return messagePage('The database cannot be reached', message);
}
