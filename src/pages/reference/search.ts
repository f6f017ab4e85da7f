import { type Html, html } from '../html.ts';
import type { SectionGroup } from './section.ts';

/** A section that a search has found. */
export interface FoundSection {
  readonly id: string;
  readonly title: string;
  /** The title of its group. */
  readonly group: string;
  /** Its text, without markup. */
  readonly text: string;
}

/** Returns the sections that contain each word of a query, the best first; none if the query is empty. */
export type Search = (query: string) => readonly FoundSection[];

/**
 * Creates the search of a reference, for browsers with and without JavaScript. It finds words, also as parts of longer
 * words and regardless of case, in the names and the text of sections, but not in their samples and forms. Sections of
 * which a name is the query come first, then those of which a name contains all words; sections of the same rank are in
 * the order of the page.
 */
export async function createSearch(groups: readonly SectionGroup[]): Promise<Search> {
  const all = await Promise.all(
    groups.flatMap(({ title: group, sections }) =>
      sections.map(async ({ id, title, alias, text, fields }) => {
        const names = alias === undefined ? [title] : [title, alias];
        return { names, section: { id, title, group, text: await plainText(html`${text}${fields}`) } };
      }),
    ),
  );
  return (query) => {
    const words = wordsOf(query).map((word) => matchWords(word));
    if (words.length === 0) return [];
    const name = query.trim().toLowerCase();
    const containsAll = (text: string) => words.every((word) => word.test(text));
    const rankOf = (names: readonly string[]) => {
      if (names.some((one) => one.toLowerCase() === name)) return 0;
      return names.some(containsAll) ? 1 : 2;
    };
    return all
      .filter(({ names, section: { text } }) => containsAll([...names, text].join('\n')))
      .map(({ names, section }) => ({ section, rank: rankOf(names) }))
      .sort((a, b) => a.rank - b.rank)
      .map(({ section }) => section);
  };
}

/** The distinct words of a query, separated by white space. */
export function wordsOf(query: string): string[] {
  return [...new Set(query.split(/\s+/).filter(Boolean))];
}

/** A pattern, with one group, that matches any of these words as a part of text. */
export function matchWords(...words: readonly string[]): RegExp {
  const literals = words.map((word) => word.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&'));
  return new RegExp(`(${literals.sort((a, b) => b.length - a.length).join('|')})`, 'iu');
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

/**
 * The text of markup without forms, with ` · ` between its blocks, such as paragraphs. Tags contain no other `>`, because
 * the `html` tag escapes attributes.
 */
async function plainText(markup: Html): Promise<string> {
  return String(await markup)
    .replaceAll(/<details class="try">.*?<\/details>/gs, '')
    .replaceAll(/<\/?(?:a|code|span)\b[^>]*>/g, '')
    .replaceAll(/<\/(?:p|div|h4|li|tr|summary)>/g, ' · ')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, entity: string) => ENTITIES[entity] ?? '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/(?: ·)+(?= ·)|^ ?· | ?· ?$/g, '')
    .trim();
}
