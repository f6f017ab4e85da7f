import { type Html, html } from '../html.ts';

/** A section of the reference: text, and on wide screens the code to its right. */
export interface Section {
  readonly id: string;
  readonly title: string;
  /** The level of the heading. Default: 3. */
  readonly level?: 2 | 3;
  readonly text: Html;
  readonly code?: Html;
}

/** Renders a section, which can be linked to by its heading. */
export function section({ id, title, level = 3, text, code }: Section): Html {
  const link = html`<a href="#${id}">${title}</a>`;
  return html`<section class="${code ? 'entry with-code' : 'entry'}" id="${id}">
<div class="text">${level === 2 ? html`<h2>${link}</h2>` : html`<h3>${link}</h3>`}${text}</div>
${code && html`<div class="aside">${code}</div>`}
</section>`;
}

/** Facts about an operation: its scope, its cost. */
export function facts(all: readonly (readonly [name: string, value: Html])[]): Html {
  return html`<dl class="facts">${all.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}
