import { type Html, html } from '../html.ts';

/** A section of the reference: text, and on wide screens the code to its right. */
export interface Section {
  readonly id: string;
  readonly title: string;
  readonly text: Html;
  readonly code?: Html;
}

/** Renders a section, which can be linked to by its heading. */
export function section({ id, title, text, code }: Section): Html {
  return html`<section class="${code ? 'entry with-code' : 'entry'}" id="${id}">
<div class="text"><h3><a href="#${id}">${title}</a></h3>${text}</div>
${code && html`<div class="aside">${code}</div>`}
</section>`;
}

/** Facts about an operation: its scope, its cost. */
export function facts(all: readonly (readonly [name: string, value: Html])[]): Html {
  return html`<dl class="facts">${all.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}
