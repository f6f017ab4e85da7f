import { MAX_SEARCH_CHARACTERS } from '../../domain/values/limits.ts';
import { quantity } from '../../domain/values/words.ts';
import { type Html, html } from '../html.ts';
import type { HtmlPage } from '../site.ts';
import type { ReferenceHeading, SectionGroup } from './elements.ts';

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

/** A section that a search has found. */
interface FoundSection {
  readonly id: string;
  readonly title: string;
  /** The title of its group. */
  readonly group: string;
  /** The text that was found: of the section or, with its name, of one of its parameters or fields; without markup. */
  readonly text: string;
}

/** Returns the sections that contain each word of a query, the best first; none if the query is empty. */
export type Search = (query: string) => readonly FoundSection[];

/**
 * Creates the search of a reference, for browsers with and without JavaScript. It finds words, also as parts of longer
 * words and regardless of case, in the names and the text of sections, but not in their samples and forms. Sections of
 * which a name is the query come first, then those of which a name contains all words, then those with such a parameter or
 * field; sections of the same rank are in the order of the page.
 */
export async function createSearch(groups: readonly SectionGroup[]): Promise<Search> {
  const all = await Promise.all(
    groups.flatMap(({ title: group, sections }) =>
      sections.map(async ({ id, title, alias, text, fields }) => {
        const markup = String(await html`${text}${fields}`);
        const parameters = [...markup.matchAll(/<dt><code>([^<]+)<\/code>.*?<\/dd>/gs)];
        return {
          names: alias === undefined ? [title] : [title, alias],
          parameters: parameters.map(([entry, name = '']) => ({ name, text: plainText(entry) })),
          section: { id, title, group, text: plainText(markup) },
        };
      }),
    ),
  );
  return (query) => {
    const words = wordsOf(query).map((word) => matchWords(word));
    if (words.length === 0) return [];
    const containsAll = (text: string) => words.every((word) => word.test(text));
    const isQuery = (name: string) => compact(name) === compact(query);
    return all
      .filter(({ names, section: { text } }) => containsAll([...names, text].join('\n')))
      .map(({ names, parameters, section }) => {
        if (names.some(containsAll)) return { section, rank: names.some(isQuery) ? 0 : 1 };
        const found = parameters.find(({ name }) => isQuery(name)) ?? parameters.find(({ name }) => containsAll(name));
        if (!found) return { section, rank: 4 };
        return { section: { ...section, text: found.text }, rank: isQuery(found.name) ? 2 : 3 };
      })
      .sort((a, b) => a.rank - b.rank)
      .map(({ section }) => section);
  };
}

/** A name without case and separators: `phone number`, `phone_number` and `phoneNumber` are the same. */
function compact(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_]+/g, '');
}

/** The distinct words of a query, separated by white space. */
function wordsOf(query: string): string[] {
  return [...new Set(query.split(/\s+/).filter(Boolean))];
}

/** A pattern, with one group, that matches any of these words as a part of text. */
function matchWords(...words: readonly string[]): RegExp {
  const literals = words.map((word) => word.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&'));
  return new RegExp(`(${literals.sort((a, b) => b.length - a.length).join('|')})`, 'iu');
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

/**
 * The text of markup without forms, with ` · ` between its blocks, such as paragraphs. Tags contain no other `>`, because
 * the `html` tag escapes attributes.
 */
function plainText(markup: string): string {
  return markup
    .replaceAll(/<details class="try">.*?<\/details>/gs, '')
    .replaceAll(/<\/?(?:a|code|span)\b[^>]*>/g, '')
    .replaceAll(/<\/(?:p|div|dt|h4|li|tr|summary)>/g, ' · ')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, entity: string) => ENTITIES[entity] ?? '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/(?: ·)+(?= ·)|^ ?· | ?· ?$/g, '')
    .trim();
}
