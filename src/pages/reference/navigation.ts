import { type Html, html } from '../html.ts';
import { searchForm } from './search-page.ts';
import type { SectionGroup } from './section.ts';

/**
 * The side navigation with the search and links to all sections. The script of the page hides those that do not match
 * the search.
 *
 * @param path the path of the reference.
 */
export function contents(path: string, groups: readonly SectionGroup[]): Html {
  return html`<nav class="contents" aria-label="Reference">
<details open>
<summary>Contents</summary>
${searchForm(path)}
<ul>${groups.map(
    ({ title, id, sections }) =>
      html`<li><a class="group" href="#${id}">${title}</a><ul>${sections.map(
        ({ id, title, method }) =>
          html`<li><a href="#${id}">${title}${method && html` ${methodBadge(method)}`}</a></li>`,
      )}</ul></li>`,
  )}</ul>
</details>
</nav>`;
}

/** An HTTP method, or the kind of a GraphQL operation. */
export function methodBadge(method: string): Html {
  return html`<span class="method" data-method="${method}">${method}</span>`;
}
