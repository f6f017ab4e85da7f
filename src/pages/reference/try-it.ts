import { type Html, html } from '../html.ts';

/** An input of a request. */
export interface TryField {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header' | 'body' | 'graphql';
  readonly value?: string;
  readonly required?: boolean;
}

/**
 * A form that the script of the page sends as a request; without scripts it is not shown. If the script could not be
 * loaded, the form does nothing (`dialog`); otherwise the browser would put the input into the address of the page.
 *
 * @param id unique in the page.
 * @param path the template of the path.
 */
export function tryIt(id: string, method: string, path: string, fields: readonly TryField[]): Html {
  return html`<details class="try"><summary>Try it</summary>
<form method="dialog" data-method="${method}" data-path="${path}">${fields.map(
    ({ name, in: location, value = '', required }) => {
      const field = `${id}-try-${name}`;
      const control =
        location === 'body' || location === 'graphql'
          ? html`<textarea id="${field}" name="${name}" data-in="${location}" rows="${rowsOf(value)}" spellcheck="false">${value}</textarea>`
          : html`<input id="${field}" name="${name}" data-in="${location}" value="${value}" autocomplete="off" spellcheck="false"${required && html` required`}>`;
      return html`<label for="${field}">${name}</label>${control}`;
    },
  )}<button class="button">Send</button></form>
<div class="result"></div></details>`;
}

const MAX_ROWS = 16;

function rowsOf(text: string): number {
  return Math.min(MAX_ROWS, text.split('\n').length + 1);
}

/** The field for the API key, which all forms of the page use; see {@link tryIt} on its method. @param demoKey the initial value. */
export function keyField(demoKey: string | undefined): Html {
  return html`<form class="key" id="key" method="dialog">
<label for="api-key">API key</label>
<input id="api-key" name="api-key" value="${demoKey ?? ''}" autocomplete="off" spellcheck="false" placeholder="cms_…">
<span class="muted">${
    demoKey === undefined
      ? 'To try operations. Kept in this browser tab only.'
      : 'The demo organization’s key is filled in.'
  }</span>
</form>`;
}
