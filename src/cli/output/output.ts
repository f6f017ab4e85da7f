import { styled, type Terminal } from '../../processes/terminal.ts';

/** A value to print; null is printed as `-`. */
export type Value = string | number | null;

/** A record as `name: value` lines. On a terminal, times are also relative. */
export function record(terminal: Terminal | undefined, fields: Readonly<Record<string, Value>>): string {
  const lines = Object.entries(fields).map(([name, value]) => {
    const [text, relative] = [formatValue(value), formatValue(value, terminal)];
    return `${styled(terminal, 'dim', `${name}:`)} ${text}${relative === text ? '' : ` (${relative})`}\n`;
  });
  return lines.join('');
}

/** A time of a record, in ISO 8601. */
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** A value on one line; on a terminal, a time is relative. */
export function formatValue(value: Value, terminal?: Terminal): string {
  const text = value === null ? '-' : printable(String(value));
  return terminal && TIME.test(text) ? formatRelativeTime(text) : text;
}

const UNITS = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

const relativeTime = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** A time relative to now, such as `2 days ago`, in the largest unit of which it has at least two. */
function formatRelativeTime(time: string): string {
  const seconds = Math.round((Date.parse(time) - Date.now()) / 1_000);
  const [unit, length] = UNITS.find(([, length]) => Math.abs(seconds) >= 2 * length) ?? (['second', 1] as const);
  return relativeTime.format(Math.round(seconds / length), unit);
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
  return text.split('\n').map(printable).join('\n');
}

/** The escape codes that set and reset styles. */
const STYLES = new RegExp(`(${'\x1b'}\\[\\d{1,2}m)`);

/**
 * Like {@link printableLines}, but keeps the styles of a text for a terminal. Untrusted content in the text must already
 * be escaped by {@link printable}, because its styles would be kept too.
 */
export function printableStyles(text: string): string {
  return text
    .split(STYLES)
    .map((part, index) => (index % 2 === 0 ? printableLines(part) : part))
    .join('');
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
