import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { MAX_PASSWORD_CHARACTERS } from '../core/limits.ts';
import { atMost } from '../values/text.ts';

/** The minimum length of a new password. */
export const MIN_PASSWORD_CHARACTERS = 12;

const LENGTH_ERROR = `must have ${MIN_PASSWORD_CHARACTERS} to ${MAX_PASSWORD_CHARACTERS} characters`;

/** The schema of a new password; any characters (code points) are allowed. */
export const newPassword = z
  .string()
  .refine(atMost(MAX_PASSWORD_CHARACTERS), { error: LENGTH_ERROR, abort: true })
  .refine((value) => [...value].length >= MIN_PASSWORD_CHARACTERS, { error: LENGTH_ERROR, abort: true })
  .refine((value) => new Set(value).size >= 5, { error: 'must have at least five different characters' });

/** Generates a password of 120 random bits, in groups that are easy to read out. */
export function generatePassword(): string {
  const letters = 'abcdefghijkmnpqrstuvwxyz23456789';
  const random = [...randomBytes(24)].map((byte) => letters[byte % letters.length]).join('');
  return (random.match(/.{6}/g) as string[]).join('-');
}
