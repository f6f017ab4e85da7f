import { type Style, styled, type Terminal } from '../../processes/terminal.ts';
import { formatValue, type Value } from './output.ts';

type FieldOf<Row> = {
  [Name in Extract<keyof Row, string>]: Row[Name] extends Value ? Name : never;
}[Extract<keyof Row, string>];

/** The width to which texts can be shortened in a table that is too wide for the terminal. */
const MIN_SHORTENED_WIDTH = 16;

/** Ids, email addresses and checksums: they are not shortened, because people copy them. */
const COPIED = /^[a-z]+_[0-9a-z]{26}$|^\S+@\S+$|^[0-9a-f]{64}$/;

const GAP = '  ';

const STYLES: Readonly<Record<string, Style>> = { active: 'green', revoked: 'red', expired: 'red' };

/** The title of a column: `LAST USED` for the field `last_used_at`. */
function titleOf(field: string): string {
  return field
    .replace(/_(?:at|id)$/, '')
    .replaceAll('_', ' ')
    .toUpperCase();
}

/**
 * Rows as aligned columns with a header line; `emptyMessage` if there are none. On a terminal, times are relative, empty
 * columns are left out, long texts are shortened to its width, and the last columns are left out if that is not enough.
 */
export function table<Row>(
  terminal: Terminal | undefined,
  rows: readonly Row[],
  columns: readonly FieldOf<Row>[],
  emptyMessage: string,
): string {
  if (rows.length === 0) return `${emptyMessage}\n`;
  const used = columns.filter((field) => !terminal || rows.some((row) => row[field] !== null));
  const all = used.map((field) => {
    const title = titleOf(field);
    const texts = [title, ...rows.map((row) => formatValue(row[field] as Value, terminal))];
    const width = texts.reduce((max, text) => Math.max(max, displayWidth(text)), 0);
    const minimum = texts.some((text) => COPIED.test(text)) ? width : Math.min(width, MIN_SHORTENED_WIDTH);
    return { title, texts, width, minimum };
  });
  const widths = fit(all, terminal?.width() ?? Number.POSITIVE_INFINITY);
  const line = (_: unknown, row: number) => {
    const cells = widths.map((width, column) => {
      const text = shorten(all[column]?.texts[row] ?? '', width);
      const style = row === 0 ? 'bold' : STYLES[text];
      return (style ? styled(terminal, style, text) : text) + ' '.repeat(width - displayWidth(text));
    });
    return `${cells.join(GAP).trimEnd()}\n`;
  };
  const hidden = all.slice(widths.length).map(({ title }) => title);
  const note = `Not shown: ${hidden.join(', ')}; use a wider terminal, or --json.`;
  return [...[undefined, ...rows].map(line), hidden.length > 0 ? `${styled(terminal, 'dim', note)}\n` : ''].join('');
}

/** The widths of the first columns, as many as fit into the available width: the widest ones are narrowed first. */
function fit(columns: readonly { readonly width: number; readonly minimum: number }[], available: number): number[] {
  const total = (widths: readonly number[]) =>
    widths.reduce((sum, width) => sum + width, (widths.length - 1) * GAP.length);
  let count = columns.length;
  while (count > 1 && total(columns.slice(0, count).map(({ minimum }) => minimum)) > available) count -= 1;
  const widths = columns.slice(0, count).map(({ width }) => width);
  const excess = (column: number) => (widths[column] ?? 0) - (columns[column]?.minimum ?? 0);
  while (total(widths) > available) {
    const [longest] = [...widths.keys()].filter((column) => excess(column) > 0).sort((a, b) => excess(b) - excess(a));
    if (longest === undefined) break;
    widths[longest] = (widths[longest] ?? 0) - 1;
  }
  return widths;
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Characters that take two columns in terminals: emoji and East Asian scripts. */
const WIDE = new RegExp(
  ['Emoji_Presentation', 'Script=Han', 'Script=Hangul', 'Script=Hiragana', 'Script=Katakana']
    .map((property) => `\\p{${property}}`)
    .join('|'),
  'u',
);

function displayWidth(text: string): number {
  return [...graphemes.segment(text)].reduce((sum, { segment }) => sum + (WIDE.test(segment) ? 2 : 1), 0);
}

/** The text, or as much of its beginning as fits in front of an ellipsis. */
function shorten(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let start = '';
  for (const { segment } of graphemes.segment(text)) {
    if (displayWidth(start + segment) >= width) break;
    start += segment;
  }
  return `${start}…`;
}
