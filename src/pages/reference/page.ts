import { html } from '../html.ts';
import type { HtmlPage } from '../site.ts';
import { searchForm } from './search-page.ts';
import { methodBadge, type Reference, type ReferenceHeading, renderSection } from './section.ts';
import { keyField } from './try-it.ts';

/** The page of a reference: its navigation, with the search and links to all sections, and the sections. */
export function referencePage(
  { lead, groups }: Reference,
  { path, title }: ReferenceHeading,
  other: ReferenceHeading,
  demoKey: string | undefined,
): Pick<HtmlPage, 'title' | 'main'> {
  return {
    title,
    main: html`<a class="skip" href="#content">Skip the contents</a>
<div class="reference">
<nav class="contents" aria-label="Reference">
<details open>
<summary>Contents</summary>
${searchForm(path, other)}
<ol class="hits" hidden></ol>
<ul>${groups.map(
      (group) =>
        html`<li><a class="group" href="#${group.id}">${group.title}</a><ul>${group.sections.map(
          (section) =>
            html`<li><a href="#${section.id}">${section.title}${section.method && html` ${methodBadge(section.method)}`}</a></li>`,
        )}</ul></li>`,
    )}</ul>
</details>
</nav>
<div class="content" id="content" tabindex="-1">
<h1>${title}</h1>
${lead}
${keyField(demoKey)}
${groups.map(
  (group) => html`<h2 id="${group.id}">${group.title}</h2>${group.lead}
${group.sections.map(renderSection)}`,
)}
</div>
</div>`,
  };
}
