/** A value that a command shows; nothing is shown as `-`. */
type Value = string | number | null;

/** A record as `name: value` lines. */
export function record(fields: Readonly<Record<string, Value>>): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name}: ${show(value)}\n`)
    .join('');
}

/** A list as aligned columns below a header line; `none` where it is empty. */
export function table<Row>(rows: readonly Row[], columns: Record<string, (row: Row) => Value>, none: string): string {
  if (rows.length === 0) return `${none}\n`;
  const lines = [Object.keys(columns), ...rows.map((row) => Object.values(columns).map((value) => show(value(row))))];
  const widths = Object.keys(columns).map((_, column) => Math.max(...lines.map((line) => width(line[column] ?? ''))));
  const written = lines.map((line) => line.map((cell, column) => pad(cell, widths[column] ?? 0)).join('  '));
  return written.map((line) => `${line.trimEnd()}\n`).join('');
}

function show(value: Value): string {
  return value === null ? '-' : printable(String(value));
}

/** Characters that would move the cursor, break the line or turn the direction of what follows. */
const UNPRINTABLE = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/**
 * Text on one line in which nothing is obeyed by a terminal: what comes from files and records may be anybody's. Such
 * characters are written as in JSON, so that JSON still means the same.
 */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, escaped);
}

/** The same for text of several lines. */
export function printableLines(text: string): string {
  return text.replace(UNPRINTABLE, (character) => (character === '\n' ? character : escaped(character)));
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function pad(text: string, columns: number): string {
  return text + ' '.repeat(columns - width(text));
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Terminals give these two columns: emoji, and the scripts of East Asia. */
const WIDE = new RegExp(
  ['Emoji_Presentation', 'Script=Han', 'Script=Hangul', 'Script=Hiragana', 'Script=Katakana']
    .map((property) => `\\p{${property}}`)
    .join('|'),
  'u',
);

function width(text: string): number {
  return [...graphemes.segment(text)].reduce((sum, { segment }) => sum + (WIDE.test(segment) ? 2 : 1), 0);
}
