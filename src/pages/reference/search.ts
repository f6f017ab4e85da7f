import { html } from '../html.ts';
import type { SectionGroup } from './section.ts';

/** A section that a search has found. */
export interface FoundSection {
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
