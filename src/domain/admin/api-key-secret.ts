import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const PREFIX = 'cms_';
const RANDOM_CHARACTERS = 32;
const CHECKSUM_CHARACTERS = 6;
/** The random characters of {@link keyPrefix}. */
const SHOWN_CHARACTERS = 8;
/** A shorter part of a key is not secret, because the rest has over 60 random bits. It may be a name: `cms_production`. */
const MIN_SECRET_CHARACTERS = 20;
const KEY_IN_TEXT = new RegExp(`${PREFIX}[0-9a-z]{${MIN_SECRET_CHARACTERS}}`, 'i');
const COMPLETE_KEY = new RegExp(`${PREFIX}[0-9a-z]{${RANDOM_CHARACTERS + CHECKSUM_CHARACTERS}}(?![0-9a-z])`);
const KEY = new RegExp(`^${COMPLETE_KEY.source}$`);

/** What a key looks like, for error messages. */
export const KEY_FORMAT = `begins with ${PREFIX} and has ${PREFIX.length + RANDOM_CHARACTERS + CHECKSUM_CHARACTERS} characters`;

/** A new key, `cms_<random><checksum>`: 160 random bits, so that its SHA-256 need not be salted. */
export function newKey(): string {
  const random = BigInt(`0x${randomBytes(20).toString('hex')}`)
    .toString(36)
    .padStart(RANDOM_CHARACTERS, '0');
  return PREFIX + random + checksum(random);
}

/** The first characters of a key, which identify it for people without disclosing it. */
export function keyPrefix(key: string): string {
  return key.slice(0, PREFIX.length + SHOWN_CHARACTERS);
}

/** Whether a string has the format and checksum of a key; other strings need no lookup. */
export function isWellFormedKey(key: string): boolean {
  if (!KEY.test(key)) return false;
  const random = key.slice(PREFIX.length, -CHECKSUM_CHARACTERS);
  return key.endsWith(checksum(random));
}

/** Whether a text contains a key, or at least {@link MIN_SECRET_CHARACTERS} of one, in upper or lower case. */
export function containsKey(text: string): boolean {
  return KEY_IN_TEXT.test(text);
}

/** The first text that could be a key, for example in a line of a configuration file; empty if there is none. */
export function keyIn(text: string): string {
  return COMPLETE_KEY.exec(text)?.[0] ?? '';
}

/** The SHA-256 hash of a key, which is stored in its place. */
export function hashKey(key: string): Buffer<ArrayBuffer>;
export function hashKey(key: string, encoding: 'hex'): string;
export function hashKey(key: string, encoding: 'hex' | 'buffer' = 'buffer'): Buffer<ArrayBuffer> | string {
  return hash('sha256', key, encoding);
}

function checksum(random: string): string {
  return (crc32(random) % 36 ** CHECKSUM_CHARACTERS).toString(36).padStart(CHECKSUM_CHARACTERS, '0');
}
