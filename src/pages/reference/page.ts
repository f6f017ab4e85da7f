import { html } from '../html.ts';
import type { Page } from '../layout.ts';
import { contents } from './navigation.ts';
import { type Reference, type ReferenceHeading, renderSection } from './section.ts';
import { keyField } from './try-it.ts';

interface ReferencePage {
  readonly heading: ReferenceHeading;
  /** Filled in on the page. */
  readonly demoKey: string | undefined;
}

/** The page of a reference: its navigation and all sections. */
export function referencePage(
  { lead, groups }: Reference,
  { heading: { path, title }, demoKey }: ReferencePage,
): Pick<Page, 'title' | 'main'> {
  return {
    title,
    main: html`<a class="skip" href="#content">Skip the contents</a>
<div class="reference">
${contents(path, groups)}
<div class="content" id="content" tabindex="-1">
<h1>${title}</h1>
${lead}
${keyField(demoKey)}
${groups.map(
  ({ title, id, lead, sections }) => html`<h2 id="${id}">${title}</h2>${lead}
${sections.map(renderSection)}`,
)}
</div>
</div>`,
  };
}
