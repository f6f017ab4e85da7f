import { type Cipher, createCipheriv, createHmac, timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { ServiceError } from '../core/errors.ts';

/** What a cursor is bound to: it continues this list only. */
export interface ListIdentity {
  readonly organizationId: string;
  /** The list's name, with the parent's id where it has one. */
  readonly list: string;
  readonly search: string | undefined;
}

const POSITION_BYTES = 8;
/** A block of AES, and so a tag. */
const BLOCK_BYTES = 16;
/** 24 bytes fill 32 characters of base64url without a spare bit: no two strings say the same. */
const CURSOR_BYTES = POSITION_BYTES + BLOCK_BYTES;
const CURSOR_CHARACTERS = 32;
const CURSOR = /^[A-Za-z0-9_-]{32}$/;

/*
 * Positions count the rows of all organizations, so they are encrypted, with a synthetic initialization vector (SIV, as
 * in RFC 5297): the tag authenticates the position and is what encrypts it. The same place has the same cursor on every
 * instance, and through either API. Tag and keystream are one block of AES each, under keys of the list: AES of one
 * block is a MAC of it. That costs less than a nonce and AES-GCM for each cursor.
 */

/**
 * The opaque cursors of the rows at `positions` of a list, in their order. A page's cursors are encrypted by two calls
 * of the cipher, which cost more than the encryption itself.
 *
 * @param secret that of the service, the same on every instance.
 */
export function encodeCursors(secret: Buffer, list: ListIdentity, positions: readonly number[]): readonly string[] {
  const { authentication, encryption } = keysOf(secret, identityOf(list));
  const blocks = Buffer.alloc(positions.length * BLOCK_BYTES);
  for (const [index, position] of positions.entries()) {
    const end = (index + 1) * BLOCK_BYTES;
    blocks.writeUInt32BE(Math.floor(position / 2 ** 32), end - POSITION_BYTES);
    blocks.writeUInt32BE(position % 2 ** 32, end - 4);
  }
  const tags = authentication.update(blocks);
  const keystream = encryption.update(tags);
  const cursors = Buffer.allocUnsafe(positions.length * CURSOR_BYTES);
  for (const index of positions.keys()) {
    const block = index * BLOCK_BYTES;
    const cursor = index * CURSOR_BYTES;
    for (let at = 0; at < POSITION_BYTES; at++) {
      cursors[cursor + at] =
        (blocks[block + BLOCK_BYTES - POSITION_BYTES + at] as number) ^ (keystream[block + at] as number);
    }
    tags.copy(cursors, cursor + POSITION_BYTES, block, block + BLOCK_BYTES);
  }
  const text = cursors.toString('base64url');
  return positions.map((_, index) => text.slice(index * CURSOR_CHARACTERS, (index + 1) * CURSOR_CHARACTERS));
}

/** The opaque cursor of one row; see {@link encodeCursors}. */
export function encodeCursor(secret: Buffer, list: ListIdentity, position: number): string {
  return encodeCursors(secret, list, [position])[0] as string;
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
  const block = Buffer.alloc(BLOCK_BYTES);
  place.copy(block, BLOCK_BYTES - POSITION_BYTES);
  return timingSafeEqual(keys.authentication.update(block), tag) ? Number(place.readBigUInt64BE()) : undefined;
}

/** Encrypts or decrypts the position at the beginning of `bytes`. */
function applyKeystream({ encryption }: ListKeys, tag: Buffer, bytes: Buffer): void {
  const keystream = encryption.update(tag);
  for (let at = 0; at < POSITION_BYTES; at++) bytes[at] = (bytes[at] as number) ^ (keystream[at] as number);
}

/** AES under the keys of one list; in ECB mode each block is independent, so a cipher serves any number of cursors. */
interface ListKeys {
  readonly authentication: Cipher;
  readonly encryption: Cipher;
}

/** Deriving keys costs more than several cursors. */
const MAX_CACHED_LISTS = 1_000;
const known = new WeakMap<Buffer, LRUCache<string, ListKeys>>();

function keysOf(secret: Buffer, identity: string): ListKeys {
  let lists = known.get(secret);
  if (!lists) {
    lists = new LRUCache({ max: MAX_CACHED_LISTS });
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
  const signature = createHmac('sha256', secret)
    .update(identityOf(list))
    .update(place)
    .digest()
    .subarray(0, BLOCK_BYTES);
  return timingSafeEqual(bytes.subarray(POSITION_BYTES), signature) ? Number(place.readBigUInt64BE()) : undefined;
}
