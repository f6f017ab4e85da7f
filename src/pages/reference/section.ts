import { type Html, html } from '../html.ts';
import { inlineMarkdown } from './markdown.ts';

/** The path and title of the reference of an API. */
export interface ReferenceHeading {
  readonly path: string;
  readonly title: string;
}

/** The content of a reference. */
export interface Reference {
  /** The text between the title and the field for the key. */
  readonly lead: Html;
  readonly groups: readonly SectionGroup[];
}

/** A section of the reference: text, code to its right on wide screens, and fields below the text. */
export interface Section {
  readonly id: string;
  readonly title: string;
  /** The HTTP method of an operation, for the navigation. */
  readonly method?: string;
  /** Another name, by which the search finds the section. */
  readonly alias?: string;
  readonly text: Html;
  readonly code?: Html;
  readonly fields?: Html;
}

/** Sections below a common heading. */
export interface SectionGroup {
  readonly title: string;
  /** The id of the heading. */
  readonly id: string;
  /** The text between the heading and the first section. */
  readonly lead?: Html;
  readonly sections: readonly Section[];
}

/** Renders a section, which can be linked to by its heading. */
export function renderSection({ id, title, text, code, fields }: Section): Html {
  return html`<section class="${code ? 'entry with-code' : 'entry'}" id="${id}">
<div class="text"><h3><a href="#${id}">${title}</a></h3>${text}</div>
${code && html`<div class="aside">${code}</div>`}${fields && html`<div class="text">${fields}</div>`}
</section>`;
}

/** Facts about an operation: its scope, its cost. */
export function facts(all: readonly (readonly [name: string, value: Html])[]): Html {
  return html`<dl class="facts">${all.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

/** An entry of a list of fields. @param remarks shown after the description, in another color. */
export function fieldEntry(
  term: Html,
  description: string | null | undefined,
  ...remarks: readonly (Html | false | undefined)[]
): Html {
  return html`<div><dt>${term}</dt><dd>${inlineMarkdown(description ?? '')}${remarks.map(
    (remark) => remark && html` <span class="limits">${remark}</span>`,
  )}</dd></div>`;
}

/** An HTTP method, or the kind of a GraphQL operation. */
export function methodBadge(method: string): Html {
  return html`<span class="method" data-method="${method}">${method}</span>`;
}
