import { html, raw } from 'hono/html';

/** Markup of the `html` tag. The tag escapes all values except markup, and omits `false`, null and undefined. */
export type Html = ReturnType<typeof html>;

export { html, raw };

/** Items with a separator between them. */
export function joinHtml(items: readonly Html[], separator = ', '): Html {
  return html`${items.map((item, index) => [index > 0 && separator, item])}`;
}

/** Text with a copy button, which is hidden without JavaScript. @param label the object of the button’s name. */
export function copyable(id: string, label: string, text: string): Html {
  return html`
    <div class="copyable">
      <pre id="${id}">${text}</pre>
      <div>
        <span role="status"></span>
        <button class="button" type="button" data-copy="${id}" hidden>Copy<span class="visually-hidden"> ${label}</span></button>
      </div>
    </div>`;
}
