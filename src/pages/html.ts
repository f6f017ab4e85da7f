import { html, raw } from 'hono/html';

/** Markup of the `html` tag. The tag escapes all values except markup, and omits `false`, null and undefined. */
export type Html = ReturnType<typeof html>;

export { html, raw };

/** Items with a separator between them. */
export function joinHtml(items: readonly Html[], separator = ', '): Html {
  return html`${items.map((item, index) => [index > 0 && separator, item])}`;
}
