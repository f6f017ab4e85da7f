import { type Html, html, raw } from '../html.ts';

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

/** The origin in code samples. Pages show the address at which they were requested in its place. */
export const SAMPLE_ORIGIN = 'http://127.0.0.1:4000';

/** The same request in one language. */
export interface Sample {
  readonly language: string;
  readonly code: string;
}

/** Code samples, one of which is visible. Radio buttons select the language, so that no script is needed. */
export function samples(id: string, all: readonly Sample[]): Html {
  return html`<div class="samples">
<fieldset><legend class="visually-hidden">Language of the sample</legend>${all.map(
    ({ language }, index) =>
      html`<label><input type="radio" name="${id}-language" value="${language}"${index === 0 ? ' checked' : ''}>${language}</label>`,
  )}</fieldset>
<div class="code" id="${id}-samples">${all.map(
    ({ language, code }) => html`<pre tabindex="0" data-language="${language}"><code>${code}</code></pre>`,
  )}</div>
<div class="copy"><span role="status"></span><button class="button" type="button" data-copy="${id}-samples" hidden>Copy<span class="visually-hidden"> the sample</span></button></div>
</div>`;
}

/** Code with a caption: an example of a response. */
export function example(caption: string, language: string, code: string): Html {
  return html`<figure class="example"><figcaption>${caption}</figcaption><pre tabindex="0" data-language="${language}"><code>${code}</code></pre></figure>`;
}

/** A drawing with a caption. It scrolls on screens that are narrower than its text is readable. */
export function drawing(svg: string, caption: string): Html {
  return html`<figure class="example drawing"><figcaption>${caption}</figcaption><div tabindex="0" role="region" aria-label="${caption}">${raw(svg)}</div></figure>`;
}

/** A value as indented JSON; an array of one number or string stays on one line. */
export function json(value: unknown): string {
  return JSON.stringify(value, null, 2).replaceAll(/\[\s+("[^"{}]*"|\d+)\s+\]/g, '[$1]');
}

/** A section of a Markdown text: a heading of the second level, and the text below it. */
export interface MarkdownSection {
  readonly title: string;
  readonly text: string;
}

/** Splits Markdown at its headings of the second level. @returns the text before the first heading, and the sections. */
export function splitSections(text: string): { readonly lead: string; readonly sections: readonly MarkdownSection[] } {
  const [lead = '', ...parts] = text.split(/^## /m);
  const sections = parts.map((part) => {
    const end = part.indexOf('\n');
    return { title: part.slice(0, end).trim(), text: part.slice(end + 1).trim() };
  });
  return { lead: lead.trim(), sections };
}

/** Renders the Markdown of descriptions: paragraphs, lists with `-`, and code in backticks. */
export function markdown(text: string): Html {
  const blocks = text.split(/\n{2,}/).filter((block) => block.trim() !== '');
  return html`${blocks.map((block) =>
    block.startsWith('- ')
      ? html`<ul>${block.split(/^- /m).map((item) => item && html`<li>${inlineMarkdown(item)}</li>`)}</ul>`
      : html`<p>${inlineMarkdown(block)}</p>`,
  )}`;
}

/** Renders text with code in backticks, without a paragraph around it. */
export function inlineMarkdown(text: string): Html {
  return html`${text
    .trim()
    .split(/`([^`]+)`/)
    .map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`;
}

/** The fragment identifier of a title. */
export function slug(title: string): string {
  return title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
}
