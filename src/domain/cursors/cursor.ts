import { type Cipher, createCipheriv, createDecipheriv, createHmac, timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { invalidCursor, notCursor } from '../core/errors.ts';
import { memoize } from '../core/memoize.ts';
import type { Place } from './order.ts';

/** The list that a cursor belongs to. The cursor is not valid for any other list. */
export interface ListIdentity {
  readonly organizationId: string;
  /** The list's name, with the parent's id where it has one. */
  readonly list: string;
  readonly search: string | undefined;
  /** The filter and the order as text; absent if the list has its default order and no filter. */
  readonly filterAndOrder?: string | undefined;
}

const POSITION_BYTES = 8;
/** The size of an AES block and of a tag. */
const BLOCK_BYTES = 16;
/** The space for sort keys: each takes its size in UTF-8, and one byte for this size plus 1. */
const SORT_KEYS_BYTES = 96;

/** The sizes of cursors without and with sort keys. As multiples of 3, they have a unique encoding in base64url. */
const CURSOR_BYTES = BLOCK_BYTES + POSITION_BYTES;
const SORTED_CURSOR_BYTES = CURSOR_BYTES + SORT_KEYS_BYTES;
const CURSOR_CHARACTERS = (CURSOR_BYTES / 3) * 4;

/*
 * Positions disclose the number of changes of an organization, and sort keys are data of records, so cursors are
 * encrypted. They use a synthetic initialization vector (SIV, as in RFC 5297): a tag authenticates the place, and is also
 * the initialization vector of its encryption. As a result, the same place has the same cursor on every instance and in
 * both APIs.
 *
 * If a place is only a position, the tag and the keystream are one block of AES each, under keys that are derived for
 * the list. AES of a single block is a valid MAC, and costs less than a nonce and AES-GCM for each cursor. The tag of a
 * place with sort keys is an HMAC, and it is encrypted in counter mode.
 */

/**
 * Encrypts places in a list as opaque cursors, of 32 characters in the order of entry and of 160 in other orders.
 *
 * @param secret the secret of the service, the same on every instance.
 * @param places either all or none have sort keys.
 * @returns the cursors, in the order of `places`.
 */
export function encodeCursors(secret: Buffer, list: ListIdentity, places: readonly Place[]): readonly string[] {
  const keys = keysOf(secret, list);
  if (places.some((place) => place.keys.length > 0)) return places.map((place) => encodeSorted(keys, place));
  return encodePositions(
    keys,
    places.map(({ position }) => position),
  );
}

/** Encrypts all positions with two calls to ciphers, because a call costs more than the encryption itself. */
function encodePositions({ authentication, encryption }: ListKeys, positions: readonly bigint[]): readonly string[] {
  // Allocated from Node.js's pool, because allocating a separate buffer costs more than the encryption.
  const blocks = Buffer.allocUnsafe(positions.length * BLOCK_BYTES).fill(0);
  for (const [index, position] of positions.entries()) {
    blocks.writeBigUInt64BE(position, (index + 1) * BLOCK_BYTES - POSITION_BYTES);
  }
  const tags = authentication.update(blocks);
  const keystream = encryption.update(tags);
  const cursors = Buffer.allocUnsafe(positions.length * CURSOR_BYTES);
  for (const [index, position] of positions.entries()) {
    const block = index * BLOCK_BYTES;
    const end = cursors.writeBigUInt64BE(position ^ keystream.readBigUInt64BE(block), index * CURSOR_BYTES);
    tags.copy(cursors, end, block, block + BLOCK_BYTES);
  }
  const text = cursors.toString('base64url');
  return positions.map((_, index) => text.slice(index * CURSOR_CHARACTERS, (index + 1) * CURSOR_CHARACTERS));
}

/** Encrypts one position as an opaque cursor; see {@link encodeCursors}. */
export function encodeCursor(secret: Buffer, list: ListIdentity, position: bigint): string {
  return encodeCursors(secret, list, [{ keys: [], position }])[0] as string;
}

function encodeSorted({ sorted }: ListKeys, { keys, position }: Place): string {
  const place = Buffer.alloc(POSITION_BYTES + SORT_KEYS_BYTES);
  let end = place.writeBigUInt64BE(position);
  for (const key of keys) {
    const size = Buffer.byteLength(key);
    if (end + 1 + size > place.length)
      throw new RangeError(`the sort keys of a cursor exceed ${SORT_KEYS_BYTES} bytes`);
    end = place.writeUInt8(size + 1, end) + place.write(key, end + 1);
  }
  const tag = tagOf(sorted, place);
  const cipher = createCipheriv('aes-256-ctr', sorted.encryption, tag);
  return Buffer.concat([tag, cipher.update(place)]).toString('base64url');
}

function decryptSorted({ sorted }: ListKeys, bytes: Buffer): Place | undefined {
  const tag = bytes.subarray(0, BLOCK_BYTES);
  const place = createDecipheriv('aes-256-ctr', sorted.encryption, tag).update(bytes.subarray(BLOCK_BYTES));
  if (!timingSafeEqual(tagOf(sorted, place), tag)) return undefined;
  const keys: string[] = [];
  for (let at = POSITION_BYTES; at < place.length && place.readUInt8(at) > 0; ) {
    const end = at + place.readUInt8(at);
    keys.push(place.toString('utf8', at + 1, end));
    at = end;
  }
  return { keys, position: place.readBigUInt64BE() };
}

function tagOf({ authentication }: KeyPair, place: Buffer): Buffer {
  return createHmac('sha256', authentication).update(place).digest().subarray(0, BLOCK_BYTES);
}

/**
 * Decrypts a cursor, and returns its place. The record at this place may have been deleted.
 *
 * @throws {ServiceError} `invalid_cursor` if it is forged, or belongs to another list, search, filter, order or
 *   organization.
 */
export function decodeCursor(secret: Buffer, list: ListIdentity, cursor: string): Place {
  const bytes = bytesOf(cursor);
  if (!bytes) throw notCursor();
  const keys = keysOf(secret, list);
  const place = bytes.length === CURSOR_BYTES ? decryptPosition(keys, bytes) : decryptSorted(keys, bytes);
  if (!place) throw invalidCursor();
  return place;
}

/** Decodes the characters of a cursor; undefined if it does not have the format of one. */
function bytesOf(cursor: string): Buffer | undefined {
  const bytes = Buffer.from(cursor.slice(0, SORTED_CURSOR_BYTES * 2), 'base64url');
  const hasSize = bytes.length === CURSOR_BYTES || bytes.length === SORTED_CURSOR_BYTES;
  return hasSize && bytes.toString('base64url') === cursor ? bytes : undefined;
}

function decryptPosition({ authentication, encryption }: ListKeys, bytes: Buffer): Place | undefined {
  const tag = bytes.subarray(POSITION_BYTES);
  const position = bytes.readBigUInt64BE() ^ encryption.update(tag).readBigUInt64BE();
  const block = Buffer.alloc(BLOCK_BYTES);
  block.writeBigUInt64BE(position, BLOCK_BYTES - POSITION_BYTES);
  if (!timingSafeEqual(authentication.update(block), tag)) return undefined;
  return { keys: [], position };
}

/** Two keys that are derived for the same purpose. */
interface KeyPair {
  readonly authentication: Buffer;
  readonly encryption: Buffer;
}

/** The keys of a list. */
class ListKeys {
  // Both encrypt positions. In ECB mode, blocks are independent, so a cipher can be used for any number of cursors.
  readonly authentication: Cipher;
  readonly encryption: Cipher;
  private sortedKeys: KeyPair | undefined;

  constructor(
    private readonly secret: Buffer,
    private readonly identity: string,
  ) {
    const { authentication, encryption } = this.derive('cursor');
    this.authentication = cipherOf(authentication);
    this.encryption = cipherOf(encryption);
  }

  /** The keys of cursors with sort keys. Derived on first use, because most lists have none. */
  get sorted(): KeyPair {
    this.sortedKeys ??= this.derive('sorted cursor');
    return this.sortedKeys;
  }

  private derive(purpose: string): KeyPair {
    const keys = createHmac('sha512', this.secret).update(purpose).update(this.identity).digest();
    return { authentication: keys.subarray(0, 32), encryption: keys.subarray(32) };
  }
}

/** The maximum number of lists whose keys are cached. Deriving keys costs more than encrypting several cursors. */
const MAX_CACHED_LISTS = 1_000;

/** The keys derived from a secret, by identity of the list. */
const keysOfLists = memoize(
  (secret: Buffer) =>
    new LRUCache<string, ListKeys>({
      max: MAX_CACHED_LISTS,
      memoMethod: (identity) => new ListKeys(secret, identity),
    }),
);

function keysOf(secret: Buffer, { organizationId, list, search, filterAndOrder }: ListIdentity): ListKeys {
  return keysOfLists(secret).memo(JSON.stringify([organizationId, list, search ?? null, filterAndOrder ?? null]));
}

function cipherOf(key: Buffer): Cipher {
  return createCipheriv('aes-256-ecb', key, null).setAutoPadding(false);
}
