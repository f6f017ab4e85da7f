import { type Html, html } from './html.ts';

/**
 * Text with a button that copies it. Without script the button is not there, and the text can be selected.
 *
 * @param id of the text, once in a page.
 * @param label what the button copies, for people who do not see where it stands.
 */
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
