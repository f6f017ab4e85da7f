import { type Cipher, createCipheriv, createDecipheriv, createHmac, timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { invalidCursor } from '../core/errors.ts';
import { memoize } from '../core/memoize.ts';
import type { Place } from './order.ts';
import { formatUnseen, NO_UNSEEN_POSITIONS, parseFormattedUnseen } from './unseen-positions.ts';

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
/** 24 bytes are exactly 32 characters of base64url, so the encoding of a cursor is unique. */
const CURSOR_BYTES = POSITION_BYTES + BLOCK_BYTES;
const CURSOR_CHARACTERS = 32;
/** Longer than a cursor with the longest sort keys and the most unseen positions. */
const MAX_CURSOR_CHARACTERS = 8_192;

/*
 * Positions disclose the number of rows of all organizations, so cursors are encrypted. They use a synthetic
 * initialization vector (SIV, as in RFC 5297): a tag authenticates the place, and is also the initialization vector of
 * its encryption. As a result, the same place has the same cursor on every instance and in both APIs.
 *
 * If a place is only a position, the tag and the keystream are one block of AES each, under keys that are derived for
 * the list. AES of a single block is a valid MAC, and costs less than a nonce and AES-GCM for each cursor. Places with
 * more than that are longer: their tag is an HMAC, and they are encrypted in counter mode.
 */

/**
 * Encrypts places in a list as opaque cursors.
 *
 * @param secret the secret of the service, the same on every instance.
 * @returns the cursors, in the order of `places`.
 */
export function encodeCursors(secret: Buffer, list: ListIdentity, places: readonly Place[]): readonly string[] {
  const keys = keysOf(secret, identityKey(list));
  const positions = places.flatMap((place) => (hasLongCursor(place) ? [] : [place.position]));
  const short = positions.length > 0 ? encodePositions(keys, positions).values() : undefined;
  return places.map((place) => (hasLongCursor(place) ? encodeLong(keys, place) : (short?.next().value as string)));
}

/** Whether a place has more than a position, so that it needs a long cursor. */
function hasLongCursor({ keys, unseen, reading }: Place): boolean {
  return keys.length > 0 || unseen !== undefined || reading !== undefined;
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

/** Encrypts one position as an opaque cursor; see {@link encodeCursors}. */
export function encodeCursor(secret: Buffer, list: ListIdentity, position: bigint): string {
  return encodeCursors(secret, list, [{ keys: [], position }])[0] as string;
}

/**
 * The unseen positions and the `Reading` of a place, as stored in a long cursor. Earlier versions stored only the former.
 */
type ReadingPart = [unseen: string, backwards?: boolean, isLate?: boolean];

/**
 * Encrypts a place with more than a position. Pads the text, because {@link decodeCursor} recognizes the cursor of a
 * position by its length.
 */
function encodeLong({ forLongCursors }: ListKeys, { keys, position, unseen, reading }: Place): string {
  const number = position <= Number.MAX_SAFE_INTEGER ? Number(position) : String(position);
  const readingPart = [
    formatUnseen(unseen ?? NO_UNSEEN_POSITIONS),
    ...(reading ? [reading.backwards, reading.isLate] : []),
  ];
  const parts = [...keys, ...(unseen || reading ? [readingPart] : []), number];
  const text = Buffer.from(JSON.stringify(parts).padEnd(BLOCK_BYTES));
  const tag = longTag(forLongCursors, text);
  const cipher = createCipheriv('aes-256-ctr', forLongCursors.encryption, tag);
  return Buffer.concat([tag, cipher.update(text), cipher.final()]).toString('base64url');
}

function decodeLong({ forLongCursors }: ListKeys, bytes: Buffer): Place | undefined {
  const tag = bytes.subarray(0, BLOCK_BYTES);
  const decipher = createDecipheriv('aes-256-ctr', forLongCursors.encryption, tag);
  const text = Buffer.concat([decipher.update(bytes.subarray(BLOCK_BYTES)), decipher.final()]);
  if (!timingSafeEqual(longTag(forLongCursors, text), tag)) return undefined;
  const parts = JSON.parse(text.toString()) as (string | number | ReadingPart)[];
  const position = BigInt(parts.pop() as string | number);
  const keys = parts.filter((part) => typeof part === 'string');
  const readingPart = parts.find((part) => Array.isArray(part));
  if (!readingPart) return { keys, position };
  const [formatted, backwards, isLate = false] = readingPart;
  const unseen = parseFormattedUnseen(formatted);
  return {
    keys,
    position,
    ...(unseen.ranges.length > 0 && { unseen }),
    ...(backwards !== undefined && { reading: { backwards, isLate } }),
  };
}

function longTag({ authentication }: KeyPair, text: Buffer): Buffer {
  return createHmac('sha256', authentication).update(text).digest().subarray(0, BLOCK_BYTES);
}

/**
 * Decrypts a cursor, and returns its place. The record at this place may have been deleted.
 *
 * @throws {ServiceError} `invalid_cursor` if it is forged, or belongs to another list, search, filter, order or
 *   organization.
 */
export function decodeCursor(secret: Buffer, list: ListIdentity, cursor: string): Place {
  const bytes = bytesOf(cursor);
  if (bytes?.length === CURSOR_BYTES) {
    const position = decryptPosition(secret, list, bytes) ?? verifySignedPosition(secret, list, bytes);
    if (position !== undefined) return { keys: [], position };
  } else if (bytes) {
    const place = decodeLong(keysOf(secret, identityKey(list)), bytes);
    if (place) return place;
  }
  throw invalidCursor();
}

/** Whether a text has the format of a cursor, so that it may be valid for some list. */
export function hasCursorFormat(text: string): boolean {
  return bytesOf(text) !== undefined;
}

/** Decodes the characters of a cursor; undefined if it does not have the format of one. */
function bytesOf(cursor: string): Buffer | undefined {
  const bytes = Buffer.from(cursor.slice(0, MAX_CURSOR_CHARACTERS), 'base64url');
  return bytes.length >= CURSOR_BYTES && bytes.toString('base64url') === cursor ? bytes : undefined;
}

function decryptPosition(secret: Buffer, list: ListIdentity, bytes: Buffer): bigint | undefined {
  const keys = keysOf(secret, identityKey(list));
  const tag = bytes.subarray(POSITION_BYTES);
  const keystream = keys.encryption.update(tag);
  const block = Buffer.alloc(BLOCK_BYTES);
  const position = block.subarray(BLOCK_BYTES - POSITION_BYTES);
  for (let at = 0; at < POSITION_BYTES; at++) position[at] = (bytes[at] as number) ^ (keystream[at] as number);
  return timingSafeEqual(keys.authentication.update(block), tag) ? position.readBigUInt64BE() : undefined;
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
  private longCursorKeys: KeyPair | undefined;

  constructor(
    private readonly secret: Buffer,
    private readonly identity: string,
  ) {
    const { authentication, encryption } = this.derive('cursor');
    this.authentication = cipherOf(authentication);
    this.encryption = cipherOf(encryption);
  }

  /** The keys of long cursors. Derived on first use, because most lists have none. */
  get forLongCursors(): KeyPair {
    this.longCursorKeys ??= this.derive('sorted cursor');
    return this.longCursorKeys;
  }

  private derive(purpose: string): KeyPair {
    const keys = createHmac('sha512', this.secret).update(purpose).update(this.identity).digest();
    return { authentication: keys.subarray(0, 32), encryption: keys.subarray(32) };
  }
}

/** The maximum number of lists whose keys are cached. Deriving keys costs more than encrypting several cursors. */
const MAX_CACHED_LISTS = 1_000;

/** The keys derived from a secret, by identity of the list. */
const keysOfLists = memoize((_secret: Buffer) => new LRUCache<string, ListKeys>({ max: MAX_CACHED_LISTS }));

function keysOf(secret: Buffer, identity: string): ListKeys {
  const lists = keysOfLists(secret);
  let keys = lists.get(identity);
  if (!keys) {
    keys = new ListKeys(secret, identity);
    lists.set(identity, keys);
  }
  return keys;
}

function cipherOf(key: Buffer): Cipher {
  return createCipheriv('aes-256-ecb', key, null).setAutoPadding(false);
}

function identityKey({ organizationId, list, search, filterAndOrder }: ListIdentity): string {
  return JSON.stringify([
    organizationId,
    list,
    search ?? null,
    ...(filterAndOrder === undefined ? [] : [filterAndOrder]),
  ]);
}

/** Reads a cursor of version 1.0, which is signed but not encrypted. To be removed after one more version. */
function verifySignedPosition(secret: Buffer, list: ListIdentity, bytes: Buffer): bigint | undefined {
  const position = bytes.subarray(0, POSITION_BYTES);
  const signature = createHmac('sha256', secret)
    .update(identityKey(list))
    .update(position)
    .digest()
    .subarray(0, BLOCK_BYTES);
  return timingSafeEqual(bytes.subarray(POSITION_BYTES), signature) ? position.readBigUInt64BE() : undefined;
}
