import { type Html, html } from '../html.ts';

/** An input of a request. */
export interface TryField {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header' | 'body' | 'graphql';
  readonly value?: string;
  readonly required?: boolean;
  readonly type?: 'text' | 'number' | 'date';
  /** The values to choose from. */
  readonly options?: readonly string[];
  /** Whether it takes several values. */
  readonly isList?: boolean;
}

/**
 * A form that the script of the page sends as a request; without scripts it is not shown. If the script could not be
 * loaded, the form does nothing (`dialog`); otherwise the browser would put the input into the address of the page.
 */
export function tryIt(method: string, path: string, fields: readonly TryField[]): Html {
  return html`<details class="try"><summary>Try it</summary>
<form method="dialog" data-method="${method}" data-path="${path}">${fields.map(
    (field) =>
      html`<label><span>${field.name}${field.required && html` <span class="required">required</span>`}</span>${control(field)}</label>`,
  )}<div class="actions"><button class="button primary">Send</button><button class="button" type="reset">Reset</button>
<span role="status"></span></div></form></details>`;
}

/** Texts of several lines have an editor. */
function control({ name, in: location, value = '', required, type = 'text', options, isList }: TryField): Html {
  const attributes = html`name="${name}" data-in="${location}"${required && ' required'}`;
  if (location === 'body' || location === 'graphql') {
    return html`<textarea ${attributes} rows="${rowsOf(value)}" spellcheck="false">${value}</textarea>`;
  }
  if (options) {
    return html`<select ${attributes}${isList && ' multiple'}>${!isList && html`<option>`}${options.map((one) => html`<option>${one}`)}</select>`;
  }
  const placeholder = isList && html` data-list placeholder="separated by spaces"`;
  return html`<input ${attributes} type="${type}" value="${value}" autocomplete="off" spellcheck="false"${placeholder}>`;
}

const MAX_ROWS = 16;

function rowsOf(text: string): number {
  return Math.min(MAX_ROWS, text.split('\n').length + 1);
}

/** The field for the API key, which all forms of the page use; see {@link tryIt} on its method. */
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
