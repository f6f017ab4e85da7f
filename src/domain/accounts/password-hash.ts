import { createHash, randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import { ServiceError } from '../core/errors.ts';
import { MAX_PASSWORD_CHARACTERS } from '../core/limits.ts';
import { couldFit } from '../values/text.ts';

/** The result of checking the password of an account. */
export interface PasswordCheck {
  readonly isCorrect: boolean;
  /** The hash that the password was compared with; undefined if the account has none, or `OPERATOR_PASSWORD` is set. */
  readonly hash: string | undefined;
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

/**
 * Hashes a password with scrypt and a random salt, in the PHC string format. scrypt, because Node.js includes it and
 * runs it outside the event loop; argon2 would need a native package.
 *
 * @throws {ServiceError} `unavailable` if too many checks are queued.
 */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const hash = await deriveHash(password, salt, HASH_COST);
  const { ln, r, p } = HASH_COST;
  return `$scrypt$ln=${ln},r=${r},p=${p}$${salt.toString('base64')}$${hash.toString('base64')}`;
}

const STORED = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([\w+/=]+)\$([\w+/=]+)$/;

/**
 * Verifies a password against a stored hash. Without a hash, it takes the same time and returns false. Passwords that
 * are certainly too long are rejected immediately.
 *
 * @throws {ServiceError} `unavailable` if too many checks are queued.
 */
export async function verifyPassword(password: string, stored: string | undefined): Promise<boolean> {
  if (!couldFit(MAX_PASSWORD_CHARACTERS, password)) return false;
  if (stored === undefined) {
    await deriveHash(password, randomBytes(16), HASH_COST);
    return false;
  }
  const [, ln, r, p, salt, hash] = STORED.exec(stored) ?? [];
  if (salt === undefined || hash === undefined) throw new TypeError('a stored password is not in the PHC format');
  const parameters = { ln: Number(ln), r: Number(r), p: Number(p) };
  const expected = Buffer.from(hash, 'base64');
  return timingSafeEqual(await deriveHash(password, Buffer.from(salt, 'base64'), parameters), expected);
}

/** Compares a password with the expected one, in constant time. */
export function isSamePassword(password: string, expected: string): boolean {
  if (!couldFit(Math.max(MAX_PASSWORD_CHARACTERS, expected.length), password)) return false;
  const [one, other] = [password, expected].map((text) => createHash('sha256').update(text.normalize('NFKC')).digest());
  return timingSafeEqual(one as Buffer, other as Buffer);
}

/**
 * The limits of concurrent and queued password checks; hashing a new password counts as a check. Each check occupies a
 * core and one of the four threads of Node.js's thread pool, which files and compression use too. With several cores,
 * one remains free for requests.
 */
export const PASSWORD_CHECKS = { maxConcurrent: Math.min(2, Math.max(1, availableParallelism() - 1)), maxWaiting: 12 };

let running = 0;
const waiting: (() => void)[] = [];

/** Derives the hash of a password when it is its turn. @throws {ServiceError} `unavailable` if too many are queued. */
async function deriveHash(password: string, salt: Buffer, { ln, r, p }: typeof HASH_COST): Promise<Buffer> {
  if (running < PASSWORD_CHECKS.maxConcurrent) running += 1;
  else if (waiting.length < PASSWORD_CHECKS.maxWaiting) await new Promise<void>((resolve) => waiting.push(resolve));
  else throw new ServiceError('unavailable', 'Too many people sign in at the same time; try again');
  try {
    // Keyboards can produce different code points for the same characters.
    const normalized = password.normalize('NFKC');
    return await scryptAsync(normalized, salt, HASH_BYTES, { N: 2 ** ln, r, p, maxmem: MAX_MEMORY_BYTES });
  } finally {
    // The next one takes over the slot; without one, the slot is released.
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}
