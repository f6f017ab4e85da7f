import { quoted } from '../../domain/core/errors.ts';

/** In which order a date's numbers stand. */
export type DateOrder = 'DMY' | 'MDY' | 'YMD';

/** Where dates are written with the month first (Unicode CLDR). */
const MONTH_FIRST = 'US UM AS GU MP PR VI PH FM MH PW'.split(' ');

/**
 * The order in which dates are written in a country (ISO 3166-1 alpha-2); undefined where it cannot be
 * known, because people there write them in several ways. The year first is understood everywhere.
 */
export function dateOrderOf(country: string): DateOrder | undefined {
  if (MONTH_FIRST.includes(country)) return 'MDY';
  const { language } = new Intl.Locale('und', { region: country }).maximize();
  const dayFirst = [language, 'en'].some((one) => orderOf(`${one}-${country}`) === 'DMY');
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

/** A date as the specification writes it, or what is wrong with it. */
export type DateRead = { readonly date: string } | { readonly problem: string };

const YEAR_FIRST = /^(\d{4})[-/. ](\d{1,2})[-/. ](\d{1,2})\.?$/;
const YEAR_LAST = /^(\d{1,2})[-/. ]\s?(\d{1,2})[-/. ]\s?(\d{4})$/;
const SHORT_YEAR = /^\d{1,2}[-/. ]\d{1,2}[-/. ]\d{2}$/;

/** Reads a date as people write it. @param order the order of day and month where the year is last. */
export function readDate(written: string, order: DateOrder | undefined): DateRead {
  const text = written.trim();
  const yearFirst = YEAR_FIRST.exec(text);
  if (yearFirst) return dateOf(text, yearFirst[1], yearFirst[2], yearFirst[3]);
  const yearLast = YEAR_LAST.exec(text);
  if (yearLast) return readYearLast(text, order, yearLast as unknown as [string, string, string, string]);
  if (SHORT_YEAR.test(text)) return { problem: `the year of ${quoted(text)} must have four digits` };
  return { problem: `${quoted(text)} is no date; ${right(order)}` };
}

function readYearLast(
  text: string,
  order: DateOrder | undefined,
  [, first, second, year]: [string, string, string, string],
): DateRead {
  if (order === 'DMY') return dateOf(text, year, second, first, order);
  if (order === 'MDY') return dateOf(text, year, first, second, order);
  const [one, other] = [Number(first), Number(second)];
  if (one === other || other > 12) return dateOf(text, year, first, second);
  if (one > 12) return dateOf(text, year, second, first);
  const meanings = `${iso(year, second, first)} or ${iso(year, first, second)}`;
  return { problem: `${quoted(text)} may be ${meanings}; say which by --date-format DD/MM/YYYY or MM/DD/YYYY` };
}

function dateOf(text: string, year = '', month = '', day = '', order?: DateOrder): DateRead {
  const date = iso(year, month, day);
  const time = new Date(`${date}T00:00:00Z`);
  const exists = !Number.isNaN(time.getTime()) && time.toISOString().startsWith(date);
  return exists ? { date } : { problem: `${quoted(text)} is no day of the calendar; ${right(order)}` };
}

function right(order: DateOrder | undefined): string {
  const habits = { DMY: 'DD/MM/YYYY', MDY: 'MM/DD/YYYY', YMD: 'YYYY/MM/DD' };
  if (!order || order === 'YMD') return 'must be YYYY-MM-DD, or say by --date-format how dates are written';
  return `must be YYYY-MM-DD or ${habits[order]} (--date-format says otherwise)`;
}

function iso(year: string, month: string, day: string): string {
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}
