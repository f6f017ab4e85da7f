import { type Html, html } from '../html.ts';

/** A part of the page in its navigation. */
export interface NavigationGroup {
  readonly title: string;
  /** The id of its heading. */
  readonly id: string;
  readonly links: readonly NavigationLink[];
}

interface NavigationLink {
  /** The id of the section. */
  readonly id: string;
  readonly name: string;
  /** The HTTP method of an operation. */
  readonly method?: string;
}

/** The side navigation with all sections. The script of the page adds the search. */
export function contents(groups: readonly NavigationGroup[]): Html {
  return html`<nav class="contents" aria-label="Reference">
<details open>
<summary>Contents</summary>
<div class="search"><label for="search">Search the reference</label><input id="search" type="search" autocomplete="off" spellcheck="false"><p id="found" role="status" class="muted"></p></div>
<ul>${groups.map(
    ({ title, id, links }) =>
      html`<li><a class="group" href="#${id}">${title}</a><ul>${links.map(
        ({ id, name, method }) => html`<li><a href="#${id}">${name}${method && html` ${methodBadge(method)}`}</a></li>`,
      )}</ul></li>`,
  )}</ul>
</details>
</nav>`;
}

/** An HTTP method, or the kind of a GraphQL operation. */
export function methodBadge(method: string): Html {
  return html`<span class="method" data-method="${method}">${method}</span>`;
}
