import validator from 'validator';
import { z } from 'zod';

/** Longest short field, in characters (code points). */
const SHORT = 255;
/** Longest description, in characters (code points). */
export const LONG = 10_000;

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

/** Text of up to `max` characters, normalized; may be blank. */
export function text(max: number = SHORT) {
  return z
    .string()
    .refine(isStorable, { error: 'must not contain NUL or a lone surrogate', abort: true })
    .overwrite(normalizeText)
    .refine(atMost(max), { error: `must be at most ${max} characters` })
    .meta({ maxLength: max });
}

/** Text that says something: not blank after normalization. */
export function requiredText(max: number = SHORT) {
  return text(max)
    .refine((value) => value !== '', { error: 'must not be blank' })
    .meta({ minLength: 1, maxLength: max });
}

/** Optional text: null clears it, and blank is stored as null too. */
export function optionalText(max: number = SHORT) {
  return text(max)
    .transform((value) => (value === '' ? null : value))
    .nullish();
}

/** The one form in which an address is stored and compared. */
function normalizeEmail(address: string): string {
  return normalizeText(address).toLowerCase().normalize('NFC');
}

/** An email address, trimmed and lower-cased once, its syntax checked (Unicode addresses included). */
export const emailAddress = text()
  .overwrite(normalizeEmail)
  .refine(isEmailAddress, { error: 'must be an email address' })
  .meta({ maxLength: SHORT, format: 'idn-email' });

function isEmailAddress(address: string): boolean {
  const domain = address.slice(address.lastIndexOf('@') + 1);
  return domain.includes('.') && validator.isEmail(address, { require_tld: false });
}

/** A date of the calendar, `YYYY-MM-DD`, from the year 1 on. */
export const calendarDate = z.iso
  .date({ error: (issue) => (issue.input === undefined ? 'required' : 'must be a date, YYYY-MM-DD') })
  .refine((value) => !value.startsWith('0000'), { error: 'must be a date, YYYY-MM-DD' });
