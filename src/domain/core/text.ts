import validator from 'validator';
import { z } from 'zod';
import {
  MAX_COMBINING_MARKS_IN_A_ROW,
  MAX_LONG_TEXT_CHARACTERS,
  MAX_SHORT_TEXT_CHARACTERS,
  MAX_UTF16_UNITS_PER_CHARACTER,
} from './limits.ts';

const SHORT = MAX_SHORT_TEXT_CHARACTERS;
/** Descriptions, in characters (code points). */
export const LONG = MAX_LONG_TEXT_CHARACTERS;

/** Whether PostgreSQL and JSON can both hold a string: no NUL, no lone surrogate. */
export function isStorable(value: string): boolean {
  return value.isWellFormed() && !value.includes('\0');
}

/** A string as it is stored: Unicode NFC, without white space around it. */
export function normalizeText(value: string): string {
  return value.normalize('NFC').trim();
}

function atMost(max: number): (value: string) => boolean {
  return (value) => value.length <= max || (value.length <= 2 * max && [...value].length <= max);
}

/**
 * Whether text can have at most `max` characters once it is normalized, told by its length as it was sent. What cannot
 * must not be normalized, compared or searched for.
 */
export function couldFit(max: number, value: string): boolean {
  return value.length <= max * MAX_UTF16_UNITS_PER_CHARACTER;
}

/** The first of too many combining marks; looked for where a run begins only, or it would take as long as sorting them. */
const LONG_RUN = new RegExp(`(?<!\\p{M})\\p{M}{${MAX_COMBINING_MARKS_IN_A_ROW + 1}}`, 'u');

/** Whether text can be normalized in a time that grows with its length alone. */
export function hasShortMarkRuns(value: string): boolean {
  return value.length <= MAX_COMBINING_MARKS_IN_A_ROW || !LONG_RUN.test(value);
}

/**
 * Text of up to `max` characters, normalized; may be blank.
 *
 * @param error what is wrong with a value that is no text.
 */
export function text(max: number = SHORT, error?: string) {
  const tooLong = `must be at most ${max} characters`;
  return z
    .string(error)
    .refine((value) => couldFit(max, value), { error: tooLong, abort: true })
    .refine(isStorable, { error: 'must not contain NUL or a lone surrogate', abort: true })
    .refine(hasShortMarkRuns, {
      error: `must have at most ${MAX_COMBINING_MARKS_IN_A_ROW} combining marks in a row`,
      abort: true,
    })
    .overwrite(normalizeText)
    .refine(atMost(max), { error: tooLong, abort: true })
    .meta({ maxLength: max });
}

/** Text that says something: not blank after normalization. */
export function requiredText(max: number = SHORT) {
  return text(max)
    .refine((value) => value !== '', { error: 'must not be blank' })
    .meta({ minLength: 1, maxLength: max });
}

/** Text that is stored as null if it is blank. */
export function blankAsNull(max: number = SHORT) {
  return text(max).transform((value) => (value === '' ? null : value));
}

/** Optional text: null clears it, and blank is stored as null too. */
export function optionalText(max: number = SHORT) {
  return blankAsNull(max).nullish();
}

/** The one form in which an address is stored and compared. */
function normalizeEmail(address: string): string {
  return normalizeText(address).toLowerCase().normalize('NFC');
}

/** An email address, trimmed and lower-cased once, its syntax checked (Unicode addresses included). */
export const emailAddress = text()
  .overwrite(normalizeEmail)
  .refine(isEmailAddress, { error: 'must be an email address' })
  // No format: that of JSON Schema for Unicode addresses is unknown to many tools, and `email` is narrower.
  .meta({ maxLength: SHORT });

function isEmailAddress(address: string): boolean {
  const domain = address.slice(address.lastIndexOf('@') + 1);
  return domain.includes('.') && validator.isEmail(address, { require_tld: false });
}

/** A date of the calendar, `YYYY-MM-DD`, from the year 1 on. */
export const calendarDate = z.iso
  .date({ error: (issue) => (issue.input === undefined ? 'required' : 'must be a date, YYYY-MM-DD') })
  .refine((value) => !value.startsWith('0000'), { error: 'must be a date, YYYY-MM-DD' });

const TIMESTAMP_ERROR = 'must be a date and time, 2026-01-31T09:30:00Z';

/** A date and time with its offset, normalized to UTC with milliseconds. */
export const timestamp = z.iso
  .datetime({ offset: true, error: TIMESTAMP_ERROR })
  .refine((value) => !value.startsWith('0000'), { error: TIMESTAMP_ERROR })
  .transform((value) => new Date(value).toISOString());
