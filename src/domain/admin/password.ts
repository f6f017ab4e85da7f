import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import { z } from 'zod';
import { MAX_PASSWORD_CHARACTERS } from '../core/limits.ts';
import { couldFit } from '../core/text.ts';
import { createWorkQueue } from './work-queue.ts';

const SHORTEST = 12;

/** A password that somebody chooses; any characters. */
export const newPassword = z
  .string()
  .refine((value) => value.length <= MAX_PASSWORD_CHARACTERS && [...value].length >= SHORTEST, {
    error: `must have ${SHORTEST} to ${MAX_PASSWORD_CHARACTERS} characters`,
    abort: true,
  })
  .refine((value) => new Set(value).size >= 5, { error: 'must have at least five different characters' });

/** A password that no one needs to invent: 120 random bits, in groups that can be read out. */
export function generatePassword(): string {
  const letters = 'abcdefghijkmnpqrstuvwxyz23456789';
  const random = [...randomBytes(24)].map((byte) => letters[byte % letters.length]).join('');
  return (random.match(/.{6}/g) as string[]).join('-');
}

/** 32 MB and about a quarter of a second each (OWASP's figures for scrypt); stored with every hash. */
const PARAMETERS = { ln: 15, r: 8, p: 3 };
const HASH_BYTES = 32;
/** scrypt takes 128 · N · r bytes; more than this no hash of ours asks for. */
const MOST_MEMORY = 256 * 2 ** 20;

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

/**
 * What is stored of a password: scrypt with a salt of its own, in the PHC string format. scrypt because Node
 * has it, off the event loop; argon2 would be a native package.
 */
export async function hashOfPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const hash = await derived(password, salt, PARAMETERS);
  const { ln, r, p } = PARAMETERS;
  return `$scrypt$ln=${ln},r=${r},p=${p}$${salt.toString('base64')}$${hash.toString('base64')}`;
}

const STORED = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([\w+/=]+)\$([\w+/=]+)$/;

/**
 * Whether a password is the one that is stored. Without a stored one it takes as long, and is not; one that is too long
 * for a password is nobody's, and takes no time.
 *
 * @throws {ServiceError} `unavailable` when too many wait.
 */
export async function isPassword(password: string, stored: string | undefined): Promise<boolean> {
  if (!couldFit(MAX_PASSWORD_CHARACTERS, password)) return false;
  if (stored === undefined) {
    await derived(password, randomBytes(16), PARAMETERS);
    return false;
  }
  const [, ln, r, p, salt, hash] = STORED.exec(stored) ?? [];
  if (salt === undefined || hash === undefined) throw new TypeError('a stored password is not in the PHC format');
  const parameters = { ln: Number(ln), r: Number(r), p: Number(p) };
  const expected = Buffer.from(hash, 'base64');
  return timingSafeEqual(await derived(password, Buffer.from(salt, 'base64'), parameters), expected);
}

/**
 * Each takes a thread of the four that Node has for such work, which files and compression need too, and a core: one core
 * stays free for requests where there is more than one. Those who wait, wait some seconds.
 */
export const PASSWORD_CHECKS = { atOnce: Math.min(2, Math.max(1, availableParallelism() - 1)), maxWaiting: 12 };

const inTurn = createWorkQueue(PASSWORD_CHECKS);

function derived(password: string, salt: Buffer, { ln, r, p }: typeof PARAMETERS): Promise<Buffer> {
  // The same characters can be typed in more ways than one.
  const typed = password.normalize('NFKC');
  return inTurn(() => derive(typed, salt, HASH_BYTES, { N: 2 ** ln, r, p, maxmem: MOST_MEMORY }));
}
