import { type Cipher, createCipheriv, createHmac, timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { ServiceError } from './errors.ts';

/** What a cursor is bound to: it continues this list only. */
export interface ListIdentity {
  readonly organizationId: string;
  /** The list's name, with the parent's id where it has one. */
  readonly list: string;
  readonly search: string | undefined;
}

const POSITION_BYTES = 8;
const TAG_BYTES = 16;
/** 24 bytes fill 32 characters of base64url without a spare bit: no two strings say the same. */
const CURSOR = /^[A-Za-z0-9_-]{32}$/;

/*
 * Positions count the rows of all organizations, so they are encrypted, with a synthetic initialization vector (SIV, as
 * in RFC 5297): the tag authenticates the position and is what encrypts it. The same place has the same cursor on every
 * instance, and through either API. Tag and keystream are one block of AES each, under keys of the list: AES of one
 * block is a MAC of it. That costs less than a nonce and AES-GCM for each cursor.
 */

/**
 * The opaque cursor of the row at `position` of a list.
 *
 * @param secret that of the service, the same on every instance.
 */
export function encodeCursor(secret: Buffer, list: ListIdentity, position: number): string {
  const keys = keysOf(secret, identityOf(list));
  const block = Buffer.alloc(TAG_BYTES);
  block.writeUInt32BE(Math.floor(position / 2 ** 32), TAG_BYTES - POSITION_BYTES);
  block.writeUInt32BE(position % 2 ** 32, TAG_BYTES - POSITION_BYTES + 4);
  const tag = keys.authentication.update(block);
  const cursor = Buffer.allocUnsafe(POSITION_BYTES + TAG_BYTES);
  block.copy(cursor, 0, TAG_BYTES - POSITION_BYTES);
  applyKeystream(keys, tag, cursor);
  tag.copy(cursor, POSITION_BYTES);
  return cursor.toString('base64url');
}

/**
 * The position that a cursor stands for. Its row need not exist any more.
 *
 * @throws {ServiceError} `invalid_cursor` for one that is forged, or of another list, search or organization.
 */
export function decodeCursor(secret: Buffer, list: ListIdentity, cursor: string): number {
  if (CURSOR.test(cursor)) {
    const bytes = Buffer.from(cursor, 'base64url');
    const position = decrypted(secret, list, bytes) ?? signedPosition(secret, list, bytes);
    if (position !== undefined) return position;
  }
  throw new ServiceError('invalid_cursor', 'This cursor does not belong to this list and search; start without one');
}

function decrypted(secret: Buffer, list: ListIdentity, bytes: Buffer): number | undefined {
  const keys = keysOf(secret, identityOf(list));
  const tag = bytes.subarray(POSITION_BYTES);
  const place = Buffer.from(bytes.subarray(0, POSITION_BYTES));
  applyKeystream(keys, tag, place);
  const block = Buffer.alloc(TAG_BYTES);
  place.copy(block, TAG_BYTES - POSITION_BYTES);
  return timingSafeEqual(keys.authentication.update(block), tag) ? Number(place.readBigUInt64BE()) : undefined;
}

/** Encrypts or decrypts the position at the beginning of `bytes`. */
function applyKeystream({ encryption }: ListKeys, tag: Buffer, bytes: Buffer): void {
  const keystream = encryption.update(tag);
  for (let at = 0; at < POSITION_BYTES; at++) bytes[at] = (bytes[at] as number) ^ (keystream[at] as number);
}

/** AES under the keys of one list; of single blocks, so a cipher serves any number of cursors. */
interface ListKeys {
  readonly authentication: Cipher;
  readonly encryption: Cipher;
}

/** Deriving keys costs more than several cursors. */
const MAX_KNOWN_LISTS = 1_000;
const known = new WeakMap<Buffer, LRUCache<string, ListKeys>>();

function keysOf(secret: Buffer, identity: string): ListKeys {
  let lists = known.get(secret);
  if (!lists) {
    lists = new LRUCache({ max: MAX_KNOWN_LISTS });
    known.set(secret, lists);
  }
  let keys = lists.get(identity);
  if (!keys) {
    const derived = createHmac('sha512', secret).update('cursor').update(identity).digest();
    keys = { authentication: cipherOf(derived.subarray(0, 32)), encryption: cipherOf(derived.subarray(32)) };
    lists.set(identity, keys);
  }
  return keys;
}

function cipherOf(key: Buffer): Cipher {
  return createCipheriv('aes-256-ecb', key, null).setAutoPadding(false);
}

function identityOf({ organizationId, list, search }: ListIdentity): string {
  return JSON.stringify([organizationId, list, search ?? null]);
}

/** The position of a cursor of version 1.0, which was signed and not encrypted; taken for one more version. */
function signedPosition(secret: Buffer, list: ListIdentity, bytes: Buffer): number | undefined {
  const place = bytes.subarray(0, POSITION_BYTES);
  const signature = createHmac('sha256', secret).update(identityOf(list)).update(place).digest().subarray(0, TAG_BYTES);
  return timingSafeEqual(bytes.subarray(POSITION_BYTES), signature) ? Number(place.readBigUInt64BE()) : undefined;
}
