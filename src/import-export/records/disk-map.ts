import { createHash } from 'node:crypto';
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The number of hash chains. With a million entries, a lookup reads about four entries. */
const CHAINS = 2 ** 18;

/** Size of the buffer for entries that are not written yet. */
const BUFFER_BYTES = 2 ** 16;

const KEY_BYTES = 16;
/** Offset of the previous entry in the chain, key, and length of the value. */
const HEADER_BYTES = 8 + KEY_BYTES + 4;
/** Values that are longer are written directly. */
const MAX_BUFFERED_VALUE_BYTES = 2 ** 16;

/**
 * A map of strings in a temporary file, for more entries than fit into memory. Its memory use does not depend on their
 * number. Keys are stored as hashes; the file is unlinked as soon as it is open, so that a crash leaves none behind.
 */
export class DiskMap {
  /** One more than the offset of the last entry of each chain; 0 for none. */
  readonly #chains = new Float64Array(CHAINS);
  readonly #buffer = Buffer.alloc(BUFFER_BYTES + HEADER_BYTES + MAX_BUFFERED_VALUE_BYTES);
  #bufferedBytes = 0;
  /** The bytes in the file. */
  #fileBytes = 0;
  readonly #file: number;

  constructor() {
    const folder = mkdtempSync(join(tmpdir(), 'cms-dry-run-'));
    this.#file = openSync(join(folder, 'map'), 'wx+', 0o600);
    rmSync(folder, { recursive: true, force: true });
  }

  /** The memory in use. */
  get memoryBytes(): number {
    return this.#chains.byteLength + this.#buffer.byteLength;
  }

  get(text: string): string | undefined {
    const key = hashKey(text);
    for (let next = this.#chains[chainIndex(key)] as number; next > 0; ) {
      const header = this.#read(next - 1, HEADER_BYTES);
      if (header.compare(key, 0, KEY_BYTES, 8, 8 + KEY_BYTES) === 0) {
        return this.#read(next - 1 + HEADER_BYTES, header.readUInt32LE(8 + KEY_BYTES)).toString('utf8');
      }
      next = header.readDoubleLE(0);
    }
    return undefined;
  }

  /** Later values replace earlier ones. */
  set(text: string, value: string): void {
    const key = hashKey(text);
    const chain = chainIndex(key);
    const bytes = Buffer.from(value);
    const offset = this.#bufferedBytes;
    this.#buffer.writeDoubleLE(this.#chains[chain] as number, offset);
    key.copy(this.#buffer, offset + 8);
    this.#buffer.writeUInt32LE(bytes.length, offset + 8 + KEY_BYTES);
    this.#chains[chain] = this.#fileBytes + offset + 1;
    this.#bufferedBytes += HEADER_BYTES;
    if (bytes.length > MAX_BUFFERED_VALUE_BYTES) {
      this.#flush();
      this.#write(bytes);
      return;
    }
    bytes.copy(this.#buffer, offset + HEADER_BYTES);
    this.#bufferedBytes += bytes.length;
    if (this.#bufferedBytes >= BUFFER_BYTES) this.#flush();
  }

  close(): void {
    closeSync(this.#file);
  }

  #flush(): void {
    this.#write(this.#buffer.subarray(0, this.#bufferedBytes));
    this.#bufferedBytes = 0;
  }

  #write(bytes: Buffer): void {
    for (let written = 0; written < bytes.length; ) {
      written += writeSync(this.#file, bytes, written, bytes.length - written, this.#fileBytes + written);
    }
    this.#fileBytes += bytes.length;
  }

  #read(offset: number, length: number): Buffer {
    if (offset >= this.#fileBytes) {
      return this.#buffer.subarray(offset - this.#fileBytes, offset - this.#fileBytes + length);
    }
    return readBytes(this.#file, offset, length);
  }
}

/** Like {@link readSync}: returns the number of bytes read, 0 at the end of the file. */
type ReadBytes = (file: number, into: Buffer, start: number, length: number, offset: number) => number;

/**
 * Reads bytes of a file, in several parts if the operating system returns fewer at once.
 *
 * @throws when the file ends earlier.
 */
export function readBytes(file: number, offset: number, length: number, read: ReadBytes = readSync): Buffer {
  const bytes = Buffer.alloc(length);
  for (let done = 0; done < length; ) {
    const count = read(file, bytes, done, length - done, offset + done);
    if (count === 0) throw new Error('The temporary file is incomplete');
    done += count;
  }
  return bytes;
}

function hashKey(text: string): Buffer {
  return createHash('sha256').update(text).digest().subarray(0, KEY_BYTES);
}

function chainIndex(key: Buffer): number {
  return key.readUInt32LE(0) % CHAINS;
}
