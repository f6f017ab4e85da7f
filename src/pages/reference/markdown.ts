import { type Html, html } from '../html.ts';

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
