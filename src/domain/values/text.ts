import validator from 'validator';
import { z } from 'zod';
import { MAX_COMBINING_MARKS_IN_A_ROW, MAX_SHORT_TEXT_CHARACTERS, MAX_UTF16_UNITS_PER_CHARACTER } from './limits.ts';

/** Whether a string can be stored in PostgreSQL and JSON: without NUL and lone surrogates. */
export function isStorable(value: string): boolean {
  return value.isWellFormed() && !value.includes('\0');
}

/** Normalizes text for storage: Unicode NFC, without leading and trailing white space. */
export function normalizeText(value: string): string {
  return value.normalize('NFC').trim();
}

/** Normalizes a short text, such as a name, for storage: also without invisible characters. */
function normalizeName(value: string): string {
  return normalizeText(withoutNeedlessInvisible(value));
}

/** Whether a text has only white space and invisible characters. */
function isBlank(value: string): boolean {
  return withoutInvisible(value).trim() === '';
}

/** Returns a check that text has at most `max` code points, without splitting text that is obviously short or long. */
export function atMost(max: number): (value: string) => boolean {
  return (value) => value.length <= max || (value.length <= 2 * max && [...value].length <= max);
}

/**
 * Whether text can have at most `max` characters after normalization, judging only by its length before. Call this before
 * normalizing, comparing or searching text of unbounded length.
 */
export function couldFit(max: number, value: string): boolean {
  return value.length <= max * MAX_UTF16_UNITS_PER_CHARACTER;
}

/** Too many combining marks in a row. The lookbehind lets matches only start a run, which keeps the search linear. */
const LONG_RUN = new RegExp(`(?<!\\p{M})\\p{M}{${MAX_COMBINING_MARKS_IN_A_ROW + 1}}`, 'u');

/** Whether text can be normalized in linear time, with and without the invisible characters in it. */
export function hasShortMarkRuns(value: string): boolean {
  if (value.length <= MAX_COMBINING_MARKS_IN_A_ROW) return true;
  return !LONG_RUN.test(value) && !LONG_RUN.test(withoutInvisible(value));
}

/**
 * Text of up to `max` characters (code points), normalized; may be blank.
 *
 * @param error the message for values that are not strings.
 */
export function text(max: number = MAX_SHORT_TEXT_CHARACTERS, error?: string, normalize = normalizeText) {
  const tooLong = `must be at most ${max} characters`;
  return z
    .string(error)
    .refine((value) => couldFit(max, value), { error: tooLong, abort: true })
    .refine(isStorable, { error: 'must not contain NUL or a lone surrogate', abort: true })
    .refine(hasShortMarkRuns, {
      error: `must have at most ${MAX_COMBINING_MARKS_IN_A_ROW} combining marks in a row`,
      abort: true,
    })
    .overwrite(normalize)
    .refine(atMost(max), { error: tooLong, abort: true })
    .meta({ maxLength: max });
}

/** How text is normalized by default: long text keeps the characters that show where a line may break. */
function normalizerFor(max: number): typeof normalizeText {
  return max > MAX_SHORT_TEXT_CHARACTERS ? normalizeText : normalizeName;
}

/** Text that is not blank after normalization. */
export function requiredText(max: number = MAX_SHORT_TEXT_CHARACTERS, normalize = normalizerFor(max)) {
  return text(max, undefined, normalize)
    .refine((value) => !isBlank(value), { error: 'must not be blank' })
    .meta({ minLength: 1, maxLength: max });
}

/** Text that is stored as null if it is blank. */
export function blankAsNull(max: number = MAX_SHORT_TEXT_CHARACTERS) {
  return text(max, undefined, normalizerFor(max)).transform((value) => (isBlank(value) ? null : value));
}

/** Optional text: null and blank text are stored as null. */
export function optionalText(max: number = MAX_SHORT_TEXT_CHARACTERS) {
  return blankAsNull(max).nullish();
}

/** Normalizes an email address for storage and comparison. */
export function normalizeEmail(address: string): string {
  return normalizeText(withoutInvisible(address)).toLowerCase().normalize('NFC');
}

/** The message for a text that is not an email address. */
export const EMAIL_ERROR = 'must be an email address, for example name@example.org';

/** Characters that word processors and keyboards insert instead of the apostrophe that addresses have. */
const CURLY_APOSTROPHES = /[´ʹʻʼʽʾʿˈ‘’‛′＇]/;

/** An email address, normalized. Unicode addresses are accepted. */
export const emailAddress = text()
  .overwrite(normalizeEmail)
  .refine((address) => !CURLY_APOSTROPHES.test(address), {
    error: ({ input }) =>
      `must be written with a straight apostrophe (') instead of ${CURLY_APOSTROPHES.exec(String(input))?.[0]}`,
    abort: true,
  })
  .refine(isEmailAddress, { error: EMAIL_ERROR })
  // No `format`: `email` excludes Unicode addresses, and many tools do not know `idn-email`.
  .meta({ maxLength: MAX_SHORT_TEXT_CHARACTERS });

function isEmailAddress(address: string): boolean {
  const domain = address.slice(address.lastIndexOf('@') + 1);
  return domain.includes('.') && validator.isEmail(address, { require_tld: false });
}

/** The message for a value that is not a calendar date. */
function dateError({ input }: { readonly input?: unknown }): string {
  if (input === undefined) return 'required';
  return isWrittenAsDate(input) ? NO_SUCH_DATE : 'must be a date, YYYY-MM-DD, for example 2026-01-31';
}

const NO_SUCH_DATE = 'must be a date that exists in the calendar, YYYY-MM-DD';

function isWrittenAsDate(value: unknown): boolean {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value);
}

/** A calendar date, `YYYY-MM-DD`, from year 1. */
export const calendarDate = z.iso
  .date({ error: dateError, abort: true })
  .refine((value) => !value.startsWith('0000'), { error: dateError });

const TIMESTAMP_ERROR = 'must be a date and time with an offset, for example 2026-01-31T09:30:00Z';

/** Whether the year in UTC, which depends on the offset, is from 1 to 9999. */
function isWithinFourDigitYears(value: string): boolean {
  const year = new Date(value).getUTCFullYear();
  // True for NaN, so that a text in another format has only one error.
  return !(year < 1 || year > 9999);
}

/** A date and time with its offset, normalized to UTC with milliseconds. */
export const timestamp = z.iso
  .datetime({ offset: true, error: TIMESTAMP_ERROR })
  .refine(isWithinFourDigitYears, { error: TIMESTAMP_ERROR })
  .transform((value) => new Date(value).toISOString());

const TIME_OR_DATE_ERROR = `${TIMESTAMP_ERROR}, or a date, 2026-01-31`;

/** The message for a text that is neither a time nor a date. In a URL, a `+` that is not encoded becomes a space. */
function timeOrDateError(value: string): string {
  if (isWrittenAsDate(value)) return NO_SUCH_DATE;
  if (/T[\d:.]+[+-]\d{4}$/.test(value)) return 'must have a colon in its offset, as in +01:00 (in a URL, %2B01:00)';
  return /T[\d:.]+ \d\d:?\d\d$/.test(value) ? 'must have + (in a URL, %2B) before its offset' : TIME_OR_DATE_ERROR;
}

/**
 * A {@link timestamp} or a {@link calendarDate}. Not a union, because its error message would mention only one of them.
 */
export const timestampOrDate = z
  .string({ error: TIME_OR_DATE_ERROR })
  .transform((value, context) => {
    const { data } = z.union([timestamp, calendarDate]).safeParse(value);
    if (data !== undefined) return data;
    context.addIssue({ code: 'custom', message: timeOrDateError(value) });
    return z.NEVER;
  })
  .meta({ anyOf: ['date-time', 'date'].map((format) => ({ type: 'string', format })) });

/** Scripts whose letters a joiner can connect or keep apart, which changes how a word looks and what it means. */
const JOINING_SCRIPTS =
  'Arab Syrc Mand Mong Nkoo Phag Adlm Rohg Mani Sogd Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Tibt Mymr Khmr Lana Newa Gran Mtei Cakm Java Bali';
const JOINING = `[${JOINING_SCRIPTS.replace(/(\w+) ?/g, String.raw`\p{scx=$1}`)}]`;
const EMOJI = String.raw`[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f]`;

/** Joiners between such letters (after a vowel sign or virama also at the end of a word) and in emoji. */
const NEEDED_JOINERS = String.raw`(?<=${JOINING})[\u200c\u200d](?=\p{DI}*${JOINING})|(?<=(?!\p{scx=Arab})(?=\p{M})${JOINING})[\u200c\u200d]|(?<=${EMOJI})\u200d(?=\p{Extended_Pictographic})`;

/** Selectors of a variant of the character before them, tags of flags, and marks of the writing direction. */
const NEEDED_OTHERS = String.raw`(?<=[\p{Emoji}\p{scx=Han}\p{scx=Mymr}\p{Sm}])[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]|(?<=[\p{scx=Mong}\p{scx=Phag}])[\u180b-\u180d\u180f]|(?<=[\u{1f3f4}\u{e0020}-\u{e007e}])[\u{e0020}-\u{e007f}]|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]`;

const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;
const INVISIBLE_OR_NEEDED = new RegExp(`(${NEEDED_JOINERS}|${NEEDED_OTHERS})|\\p{Default_Ignorable_Code_Point}`, 'gu');

/** Removes all invisible characters (Unicode's `Default_Ignorable_Code_Point`). */
export function withoutInvisible(text: string): string {
  return text.replace(INVISIBLE, '');
}

/** Removes invisible characters, except those that change how the characters beside them look. */
export function withoutNeedlessInvisible(text: string): string {
  return text.replace(INVISIBLE_OR_NEEDED, '$1');
}
