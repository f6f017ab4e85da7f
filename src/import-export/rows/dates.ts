import { quote } from '../../domain/values/words.ts';

/** The order of day (D), month (M) and year (Y) in a date. */
export type DateOrder = 'DMY' | 'MDY' | 'YMD';

/** Countries that write the month first (Unicode CLDR). */
const MONTH_FIRST = 'US UM AS GU MP PR VI PH FM MH PW'.split(' ');

/**
 * The date order of a country (ISO 3166-1 alpha-2); undefined where several orders are common. Dates that start
 * with the year are accepted in every country.
 */
export function dateOrderOf(country: string): DateOrder | undefined {
  if (MONTH_FIRST.includes(country)) return 'MDY';
  const { language } = new Intl.Locale('und', { region: country }).maximize();
  const dayFirst = [language, 'en'].some((spoken) => orderOf(`${spoken}-${country}`) === 'DMY');
  return dayFirst ? 'DMY' : undefined;
}

function orderOf(locale: string): string {
  const format = new Intl.DateTimeFormat(locale, { calendar: 'gregory', numberingSystem: 'latn' });
  const parts = format.formatToParts().map(({ type }) => type);
  return parts
    .filter((type) => ['year', 'month', 'day'].includes(type))
    .map((type) => type.charAt(0).toUpperCase())
    .join('');
}

/** A date as YYYY-MM-DD, or why the text is not a date. */
type ParsedDate = { readonly date: string } | { readonly problem: string };

const YEAR_FIRST = /^(\d{4})[-/. ]\s?(\d{1,2})[-/. ]\s?(\d{1,2})\.?$/;
const YEAR_LAST = /^(\d{1,2})[-/. ]\s?(\d{1,2})[-/. ]\s?(\d{4})$/;
const SHORT_YEAR = /^\d{1,2}[-/. ]\d{1,2}[-/. ]\d{2}$/;
/** As in `0000-11-24`, `11/24/0000`, `--11-24`, `11/24` and `24.11.`. */
const NO_YEAR = /^(?:(?:0000|[?x_]{4})\D.*|.{1,9}\D(?:0000|[?x_]{4})|--\d\d-?\d\d|\d{1,2}[-/.] ?\d{1,2}[-/.]?)$/i;
/** A date, and midnight in any notation. */
const AT_MIDNIGHT =
  /^(\S.{0,13}?),?[\sT](?:0?0:00(?::00(?:[.,]0+)?)?(?:\s?a\.?m\.?)?|12:00(?::00(?:[.,]0+)?)?\s?a\.?m\.?)\s?(?:Z|UTC|GMT|[+-]\d\d(?::?\d\d)?)?$/i;
/** Zeros or nothing between separators, and the days by which .NET and Excel mean that there is no date. */
const ZERO_DATE = /^(?:[0\s./_-]+|0001-01-01|0?1[./]0?1[./]0001|1900-0?1-00?|(?:0?1\/00?|00?[./]0?1)[./]1900)$/;

/** The text without a midnight after the date. */
function withoutMidnight(text: string): string {
  return AT_MIDNIGHT.exec(text)?.[1]?.trim() ?? text;
}

/** Whether programs write a text such as `00/00/0000` instead of a date if there is none. */
export function isZeroDate(text: string): boolean {
  return ZERO_DATE.test(withoutMidnight(text.trim()));
}

/** Whether a text is a day without a year, or a year without a day. */
export function isIncompleteDate(text: string): boolean {
  return NO_YEAR.test(withoutMidnight(text)) || /^\d{4}(?:-\d\d)?$|\?\?/.test(text);
}

/**
 * Parses a date in a common notation.
 *
 * @param order the order of day and month when the year is last; for `YMD`, such dates are rejected.
 */
export function parseDate(value: string, order: DateOrder | undefined): ParsedDate {
  const text = withoutMidnight(value.trim());
  if (NO_YEAR.test(text)) return { problem: `${quote(text)} has no year; add it, or leave out the date` };
  const [, year, month, day] = YEAR_FIRST.exec(text) ?? [];
  if (year && month && day) return createDate(text, order, year, month, day);
  const [, first, second, lastYear] = (order !== 'YMD' && YEAR_LAST.exec(text)) || [];
  if (first && second && lastYear) return parseYearLast(text, order, first, second, lastYear);
  if (SHORT_YEAR.test(text)) return { problem: `the year of ${quote(text)} must have four digits` };
  if (/\d:\d\d/.test(text)) return { problem: `${quote(text)} has a time other than midnight; leave it out` };
  return { problem: `${quote(text)} is not a date; ${expectedFormat(text, order)}` };
}

function parseYearLast(
  text: string,
  order: DateOrder | undefined,
  first: string,
  second: string,
  year: string,
): ParsedDate {
  if (order === 'DMY') return createDate(text, order, year, second, first);
  if (order === 'MDY') return createDate(text, order, year, first, second);
  const [a, b] = [Number(first), Number(second)];
  if (a === b || b > 12) return createDate(text, order, year, first, second);
  if (a > 12) return createDate(text, order, year, second, first);
  const meanings = `${isoDate(year, second, first)} or ${isoDate(year, first, second)}`;
  return { problem: `${quote(text)} is ambiguous (${meanings}); choose with --date-format DD/MM/YYYY or MM/DD/YYYY` };
}

function createDate(text: string, order: DateOrder | undefined, year: string, month: string, day: string): ParsedDate {
  const date = isoDate(year, month, day);
  const time = new Date(`${date}T00:00:00Z`);
  const exists = !Number.isNaN(time.getTime()) && time.toISOString().startsWith(date);
  return exists ? { date } : { problem: `${quote(text)} is not a calendar date; ${expectedFormat(text, order)}` };
}

/** The accepted formats, with the separator of the text. */
function expectedFormat(text: string, order: DateOrder | undefined): string {
  if (!order) return 'use YYYY-MM-DD, or set --date-format';
  const separator = /\d([./-])/.exec(text)?.[1] ?? '/';
  const alternative = { DMY: ' or DD/MM/YYYY', MDY: ' or MM/DD/YYYY', YMD: '' }[order].replaceAll('/', separator);
  return `use YYYY-MM-DD${alternative} (--date-format changes this)`;
}

function isoDate(year: string, month: string, day: string): string {
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}
