import { MAX_SEARCH_CHARACTERS } from '../../domain/values/limits.ts';
import { quantity } from '../../domain/values/words.ts';
import { type Html, html } from '../html.ts';
import type { HtmlPage } from '../site.ts';
import { type FoundSection, matchWords, wordsOf } from './search.ts';
import type { ReferenceHeading } from './section.ts';

/** The search form of a reference. @param other the reference of the other API, to search if nothing is found. */
export function searchForm(path: string, other: ReferenceHeading, query = ''): Html {
  return html`<form class="search" role="search" action="${path}/search" data-other-path="${other.path}" data-other-title="${other.title}">
<label for="search">Search the reference</label>
<input id="search" name="q" type="search" value="${query}" maxlength="${MAX_SEARCH_CHARACTERS}" required
  placeholder="/ or Ctrl+K" aria-keyshortcuts="/ Control+K" autocomplete="off" spellcheck="false"><button class="button">Search</button>
<p id="found" role="status" class="muted"></p>
</form>`;
}

interface SearchPage {
  readonly heading: ReferenceHeading;
  readonly other: ReferenceHeading;
  readonly query: string;
  /** Undefined if the query is too long. */
  readonly found: readonly FoundSection[] | undefined;
}

/** The results of a search. */
export function searchPage({ heading, other, query, found }: SearchPage): Pick<HtmlPage, 'title' | 'main'> {
  const { path, title } = heading;
  const words = found ? wordsOf(query) : [];
  const otherSearch = html`<a href="${other.path}/search?${new URLSearchParams({ q: query })}">${other.title}</a>`;
  return {
    title: words.length === 0 ? `Search the ${title}` : `“${query}” in the ${title}`,
    main: html`<div class="results">
<h1>Search the ${title}</h1>
${searchForm(path, other, found && query)}
${!found && html`<p>A search has at most ${MAX_SEARCH_CHARACTERS} characters.</p>`}${
  found &&
  words.length > 0 &&
  (found.length === 0
    ? html`<p>The ${title} does not contain “${query}”. Try fewer words, a part of a word, or a name as the API writes it,
such as <code>email_address</code>. You can also search the ${otherSearch}, or go <a href="${path}">to the contents</a>.</p>`
    : html`<p class="muted">${found.length > MAX_RESULTS && `The best ${MAX_RESULTS} of `}${quantity(found.length, 'section')} of the <a href="${path}">${title}</a>. Search the ${otherSearch} instead.</p>`)
}
${found?.slice(0, MAX_RESULTS).map(({ id, title, group, text }) => {
  return html`<section><h2><a href="${path}#${id}">${title}</a> <span class="muted">${group}</span></h2>
<p>${excerpt(text, words)}</p></section>`;
})}
</div>`,
  };
}

const MAX_EXCERPT_CHARACTERS = 220;

/** A search with more results needs more words. */
const MAX_RESULTS = 40;

/** The part of a text around the first occurrence of any of the words, with all of them marked. */
function excerpt(text: string, words: readonly string[]): Html {
  const pattern = matchWords(...words);
  const first = text.search(pattern);
  const start = first < MAX_EXCERPT_CHARACTERS / 2 ? 0 : text.lastIndexOf(' ', first - MAX_EXCERPT_CHARACTERS / 4) + 1;
  const isCut = text.length - start > MAX_EXCERPT_CHARACTERS;
  const end = isCut ? text.lastIndexOf(' ', start + MAX_EXCERPT_CHARACTERS) : text.length;
  const parts = text.slice(start, Math.max(start, end)).split(new RegExp(pattern, 'giu'));
  return html`${start > 0 && '… '}${parts.map((part, index) => (index % 2 === 1 ? html`<mark>${part}</mark>` : part))}${isCut && ' …'}`;
}
