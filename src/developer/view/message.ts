import { html } from '../../pages/html.ts';
import type { Page } from '../../pages/layout.ts';
import { HOME } from '../paths.ts';

/** A page with a message. */
export function messagePage(title: string, message: string): Page {
  return {
    title,
    main: html`
      <h1>${title}</h1>
      <p class="lead">${message}</p>
      <p><a href="${HOME}">Back to the developer pages</a></p>`,
  };
}
