import { quote } from '../../domain/core/errors.ts';

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

/**
 * Parses a date in a common notation.
 *
 * @param order the order of day and month when the year is last; for `YMD`, such dates are rejected.
 */
export function parseDate(value: string, order: DateOrder | undefined): ParsedDate {
  const text = value.trim();
  const [, year, month, day] = YEAR_FIRST.exec(text) ?? [];
  if (year && month && day) return createDate(text, order, year, month, day);
  const [, first, second, lastYear] = (order !== 'YMD' && YEAR_LAST.exec(text)) || [];
  if (first && second && lastYear) return parseYearLast(text, order, first, second, lastYear);
  if (SHORT_YEAR.test(text)) return { problem: `the year of ${quote(text)} must have four digits` };
  return { problem: `${quote(text)} is not a date; ${expectedFormat(order)}` };
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
  return exists ? { date } : { problem: `${quote(text)} is not a calendar date; ${expectedFormat(order)}` };
}

function expectedFormat(order: DateOrder | undefined): string {
  if (!order) return 'use YYYY-MM-DD, or set --date-format';
  const alternative = { DMY: ' or DD/MM/YYYY', MDY: ' or MM/DD/YYYY', YMD: '' }[order];
  return `use YYYY-MM-DD${alternative} (--date-format changes this)`;
}

function isoDate(year: string, month: string, day: string): string {
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}
