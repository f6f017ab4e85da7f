import { type Cipher, createCipheriv, createDecipheriv, createHmac, timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { invalidCursor, notCursor } from '../core/errors.ts';
import { memoize } from '../core/memoize.ts';
import type { DecodedCursor } from './order.ts';

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
 * encrypted. They use a synthetic initialization vector (SIV, as in RFC 5297): a tag authenticates the plaintext, and is
 * also the initialization vector of its encryption. As a result, the same sort keys and position have the same cursor on
 * every instance and in both APIs.
 *
 * Without sort keys, the tag and the keystream are one block of AES each, under keys that are derived for the list. AES of
 * a single block is a valid MAC, and costs less than a nonce and AES-GCM for each cursor. With sort keys, the tag is an
 * HMAC, and they are encrypted in counter mode.
 */

/**
 * Encrypts cursors of a list, as opaque texts of 32 characters in the order of entry and 160 in other orders.
 *
 * @param secret the secret of the service, the same on every instance.
 * @param cursors either all or none have sort keys.
 * @returns the encrypted cursors, in the same order.
 */
export function encodeCursors(secret: Buffer, list: ListIdentity, cursors: readonly DecodedCursor[]): string[] {
  const keys = listKeys(secret, list);
  if (cursors.some(({ sortKeys }) => sortKeys.length > 0)) return cursors.map((cursor) => encodeSorted(keys, cursor));
  return encodePositions(
    keys,
    cursors.map(({ position }) => position),
  );
}

/** Encrypts all positions with two calls to ciphers, because a call costs more than the encryption itself. */
function encodePositions({ authentication, encryption }: ListKeys, positions: readonly bigint[]): string[] {
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

/** Encrypts a cursor without sort keys; see {@link encodeCursors}. */
export function encodeCursor(secret: Buffer, list: ListIdentity, position: bigint): string {
  return encodeCursors(secret, list, [{ sortKeys: [], position }])[0] as string;
}

function encodeSorted({ sorted }: ListKeys, { sortKeys, position }: DecodedCursor): string {
  const plaintext = Buffer.alloc(POSITION_BYTES + SORT_KEYS_BYTES);
  let end = plaintext.writeBigUInt64BE(position);
  for (const key of sortKeys) {
    const size = Buffer.byteLength(key);
    if (end + 1 + size > plaintext.length)
      throw new RangeError(`the sort keys of a cursor exceed ${SORT_KEYS_BYTES} bytes`);
    end = plaintext.writeUInt8(size + 1, end) + plaintext.write(key, end + 1);
  }
  const tag = tagOf(sorted, plaintext);
  const cipher = createCipheriv('aes-256-ctr', sorted.encryption, tag);
  return Buffer.concat([tag, cipher.update(plaintext)]).toString('base64url');
}

function decryptSorted({ sorted }: ListKeys, bytes: Buffer): DecodedCursor | undefined {
  const tag = bytes.subarray(0, BLOCK_BYTES);
  const plaintext = createDecipheriv('aes-256-ctr', sorted.encryption, tag).update(bytes.subarray(BLOCK_BYTES));
  if (!timingSafeEqual(tagOf(sorted, plaintext), tag)) return undefined;
  const sortKeys: string[] = [];
  for (let at = POSITION_BYTES; at < plaintext.length && plaintext.readUInt8(at) > 0; ) {
    const end = at + plaintext.readUInt8(at);
    sortKeys.push(plaintext.toString('utf8', at + 1, end));
    at = end;
  }
  return { sortKeys, position: plaintext.readBigUInt64BE() };
}

function tagOf({ authentication }: KeyPair, plaintext: Buffer): Buffer {
  return createHmac('sha256', authentication).update(plaintext).digest().subarray(0, BLOCK_BYTES);
}

/**
 * Decrypts a cursor. Its record may have been deleted.
 *
 * @throws {ServiceError} `invalid_cursor` if it is forged, or belongs to another list, search, filter, order or
 *   organization.
 */
export function decodeCursor(secret: Buffer, list: ListIdentity, cursor: string): DecodedCursor {
  const bytes = bytesOf(cursor);
  if (!bytes) throw notCursor();
  const keys = listKeys(secret, list);
  const decoded = bytes.length === CURSOR_BYTES ? decryptPosition(keys, bytes) : decryptSorted(keys, bytes);
  if (!decoded) throw invalidCursor();
  return decoded;
}

/** Decodes the characters of a cursor; undefined if it does not have the format of one. */
function bytesOf(cursor: string): Buffer | undefined {
  const bytes = Buffer.from(cursor.slice(0, SORTED_CURSOR_BYTES * 2), 'base64url');
  const hasSize = bytes.length === CURSOR_BYTES || bytes.length === SORTED_CURSOR_BYTES;
  return hasSize && bytes.toString('base64url') === cursor ? bytes : undefined;
}

function decryptPosition({ authentication, encryption }: ListKeys, bytes: Buffer): DecodedCursor | undefined {
  const tag = bytes.subarray(POSITION_BYTES);
  const position = bytes.readBigUInt64BE() ^ encryption.update(tag).readBigUInt64BE();
  const block = Buffer.alloc(BLOCK_BYTES);
  block.writeBigUInt64BE(position, BLOCK_BYTES - POSITION_BYTES);
  if (!timingSafeEqual(authentication.update(block), tag)) return undefined;
  return { sortKeys: [], position };
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
const cachedListKeys = memoize(
  (secret: Buffer) =>
    new LRUCache<string, ListKeys>({
      max: MAX_CACHED_LISTS,
      memoMethod: (identity) => new ListKeys(secret, identity),
    }),
);

function listKeys(secret: Buffer, { organizationId, list, search, filterAndOrder }: ListIdentity): ListKeys {
  return cachedListKeys(secret).memo(JSON.stringify([organizationId, list, search ?? null, filterAndOrder ?? null]));
}

function cipherOf(key: Buffer): Cipher {
  return createCipheriv('aes-256-ecb', key, null).setAutoPadding(false);
}
