import { type Html, html } from './html.ts';

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
