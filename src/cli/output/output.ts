/** A value to print; null is printed as `-`. */
type Value = string | number | null;

/** A record as `name: value` lines. */
export function record(fields: Readonly<Record<string, Value>>): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name}: ${formatValue(value)}\n`)
    .join('');
}

/** The fields of a row that can be printed. */
type FieldOf<Row> = {
  [Name in Extract<keyof Row, string>]: Row[Name] extends Value ? Name : never;
}[Extract<keyof Row, string>];

/** A column of a table: the name of a field, or a function of the row. */
type Column<Row> = FieldOf<Row> | ((row: Row) => Value);

/** Rows as aligned columns with a header line; `emptyMessage` if there are none. */
export function table<Row>(rows: readonly Row[], columns: Record<string, Column<Row>>, emptyMessage: string): string {
  if (rows.length === 0) return `${emptyMessage}\n`;
  const lines = [
    Object.keys(columns),
    ...rows.map((row) =>
      Object.values(columns).map((column) =>
        formatValue(typeof column === 'function' ? column(row) : (row[column as keyof Row] as Value)),
      ),
    ),
  ];
  const widths = Object.keys(columns).map((_, column) =>
    Math.max(...lines.map((line) => displayWidth(line[column] ?? ''))),
  );
  const padded = lines.map((line) => line.map((cell, column) => padEnd(cell, widths[column] ?? 0)).join('  '));
  return padded.map((line) => `${line.trimEnd()}\n`).join('');
}

function formatValue(value: Value): string {
  return value === null ? '-' : printable(String(value));
}

/** Control characters, line separators and bidirectional controls. */
const UNPRINTABLE = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/**
 * Text on one line that cannot control a terminal, for untrusted content of files and records. Control characters are
 * escaped as in JSON, which keeps JSON equivalent.
 */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, escapeCharacter);
}

/** Like {@link printable}, but keeps line feeds. */
export function printableLines(text: string): string {
  return text.replace(UNPRINTABLE, (character) => (character === '\n' ? character : escapeCharacter(character)));
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function padEnd(text: string, columns: number): string {
  return text + ' '.repeat(columns - displayWidth(text));
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
