import { createHash, randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import { z } from 'zod';
import { FairQueue } from '../../store/connections/fair-queue.ts';
import { ServiceError } from '../core/errors.ts';
import { MAX_PASSWORD_CHARACTERS } from '../values/limits.ts';
import { atMost, couldFit } from '../values/text.ts';

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

/** The result of checking the password of an account. */
export interface PasswordCheck {
  readonly isCorrect: boolean;
  /** The hash that the password was compared with; undefined if the account has none, or `OPERATOR_PASSWORD` is set. */
  readonly hash: string | undefined;
}

/** How a password is checked. */
export interface CheckOptions {
  /** Whether the browser signed in to the account before: its check does not wait for those of others. */
  readonly isKnown?: boolean;
}

/**
 * The parameters of scrypt for new hashes, as recommended by OWASP: a hash takes 32 MB and about a quarter of a second.
 * They are stored with each hash. Tests set lower ones.
 */
export const HASH_COST = { ln: 15, r: 8, p: 3 };
const HASH_BYTES = 32;
/** scrypt needs 128 · N · r bytes; stored hashes need less than this limit. */
const MAX_MEMORY_BYTES = 256 * 2 ** 20;

const scryptAsync = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

/** What a hash depends on besides the password. */
export interface HashParameters {
  readonly salt: Buffer;
  readonly cost: typeof HASH_COST;
}

const STORED = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([\w+/=]+)\$[\w+/=]+$/;

/** The parameters of a stored hash. */
export function parametersOf(stored: string): HashParameters {
  const [, ln, r, p, salt] = STORED.exec(stored) ?? [];
  if (salt === undefined) throw new TypeError('a stored password is not in the PHC format');
  return { salt: Buffer.from(salt, 'base64'), cost: { ln: Number(ln), r: Number(r), p: Number(p) } };
}

/** Parameters with a salt of their own. */
export function newParameters(salt = randomBytes(16)): HashParameters {
  return { salt, cost: HASH_COST };
}

/**
 * Hashes a password with scrypt, in the PHC string format. scrypt, because Node.js includes it and runs it outside the
 * event loop; argon2 would need a native package.
 *
 * @param turn the sign-in name, or another group of attempts; hashes of different groups take turns.
 * @throws {ServiceError} `unavailable` if the wait for the turn is too long.
 */
export async function hashPassword(
  turn: string,
  password: string,
  { salt, cost }: HashParameters = newParameters(),
): Promise<string> {
  const hash = await deriveHash(turn, password, salt, cost);
  const { ln, r, p } = cost;
  return `$scrypt$ln=${ln},r=${r},p=${p}$${salt.toString('base64')}$${hash.toString('base64')}`;
}

/**
 * Hashes a password like a stored one, to compare the two. Without a stored hash, it takes the same time. Returns undefined
 * for passwords that are certainly too long.
 *
 * @throws {ServiceError} `unavailable` if the wait for the turn is too long.
 */
export async function hashLike(
  account: string,
  password: string,
  stored: string | undefined,
  { isKnown = false }: CheckOptions = {},
): Promise<string | undefined> {
  if (!couldFit(MAX_PASSWORD_CHARACTERS, password)) return undefined;
  const turn = isKnown ? `known ${account}` : account;
  const hash = await hashPassword(turn, password, stored === undefined ? undefined : parametersOf(stored));
  return stored === undefined ? undefined : hash;
}

/** Whether a password has this stored hash. @throws {ServiceError} see {@link hashLike}. */
export async function verifyPassword(
  account: string,
  password: string,
  stored: string | undefined,
  options?: CheckOptions,
): Promise<boolean> {
  const hash = await hashLike(account, password, stored, options);
  return hash !== undefined && stored !== undefined && isSameText(hash, stored);
}

/** Compares a password with the expected one, in constant time. */
export function isSamePassword(password: string, expected: string): boolean {
  if (!couldFit(Math.max(MAX_PASSWORD_CHARACTERS, expected.length), password)) return false;
  return isSameText(password.normalize('NFKC'), expected.normalize('NFKC'));
}

function isSameText(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => createHash('sha256').update(text).digest());
  return timingSafeEqual(a as Buffer, b as Buffer);
}

/**
 * The maximum number of concurrent hashes. Each occupies a core and one of the four threads of Node.js's thread pool, which
 * files and compression use too. With several cores, one remains free for requests.
 */
const MAX_HASHES = Math.min(2, Math.max(1, availableParallelism() - 1));
const MAX_WAIT_MS = 10_000;

/** One at a time of each group, so that many attempts of one delay another by one hash. */
const turns = new FairQueue({ slots: MAX_HASHES, maxWaitMs: MAX_WAIT_MS, maxPerGroup: 1 });

/** Derives the hash of a password when it is the turn of its group. */
async function deriveHash(
  turn: string,
  password: string,
  salt: Buffer,
  { ln, r, p }: typeof HASH_COST,
): Promise<Buffer> {
  await turns.take(turn)?.catch(() => {
    throw new ServiceError('unavailable', 'Too many people sign in at the same time; try again');
  });
  try {
    // Keyboards can produce different code points for the same characters.
    const normalized = password.normalize('NFKC');
    return await scryptAsync(normalized, salt, HASH_BYTES, { N: 2 ** ln, r, p, maxmem: MAX_MEMORY_BYTES });
  } finally {
    turns.release(turn);
  }
}
