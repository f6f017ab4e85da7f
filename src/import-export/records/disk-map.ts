import { createHash } from 'node:crypto';
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Chains of entries; with a million entries in each of them a lookup still reads few. */
const CHAINS = 2 ** 18;

/** Entries that are not written yet. */
const BUFFER_BYTES = 2 ** 16;

const KEY_BYTES = 16;
/** The offset of the entry before it in its chain, the key, and the length of the value. */
const HEADER_BYTES = 8 + KEY_BYTES + 2;
const MAX_VALUE_BYTES = 2 ** 16 - 1;

/**
 * A map from text to text in a temporary file, for more entries than fit into memory. It takes the same memory however many
 * there are. Keys are stored as hashes; the file has no name as soon as it is open, so that none is left behind.
 */
export class DiskMap {
  /** One more than the offset of the last entry of each chain; 0 for none. */
  readonly #chains = new Float64Array(CHAINS);
  readonly #buffer = Buffer.alloc(BUFFER_BYTES + HEADER_BYTES + MAX_VALUE_BYTES);
  #buffered = 0;
  /** The bytes in the file. */
  #written = 0;
  readonly #file: number;

  constructor() {
    const folder = mkdtempSync(join(tmpdir(), 'cms-dry-run-'));
    this.#file = openSync(join(folder, 'map'), 'wx+', 0o600);
    rmSync(folder, { recursive: true, force: true });
  }

  /** The memory that it takes. */
  get memoryBytes(): number {
    return this.#chains.byteLength + this.#buffer.byteLength;
  }

  get(text: string): string | undefined {
    const key = keyOf(text);
    for (let next = this.#chains[chainOf(key)] as number; next > 0; ) {
      const header = this.#read(next - 1, HEADER_BYTES);
      if (header.compare(key, 0, KEY_BYTES, 8, 8 + KEY_BYTES) === 0) {
        return this.#read(next - 1 + HEADER_BYTES, header.readUInt16LE(8 + KEY_BYTES)).toString('utf8');
      }
      next = header.readDoubleLE(0);
    }
    return undefined;
  }

  /** Later values replace earlier ones. @throws {RangeError} for a value of more than 64 KB. */
  set(text: string, value: string): void {
    const key = keyOf(text);
    const chain = chainOf(key);
    const bytes = Buffer.from(value);
    if (bytes.length > MAX_VALUE_BYTES) throw new RangeError('The value is too long');
    const start = this.#buffered;
    this.#buffer.writeDoubleLE(this.#chains[chain] as number, start);
    key.copy(this.#buffer, start + 8);
    this.#buffer.writeUInt16LE(bytes.length, start + 8 + KEY_BYTES);
    bytes.copy(this.#buffer, start + HEADER_BYTES);
    this.#chains[chain] = this.#written + start + 1;
    this.#buffered += HEADER_BYTES + bytes.length;
    if (this.#buffered >= BUFFER_BYTES) this.#flush();
  }

  close(): void {
    closeSync(this.#file);
  }

  #flush(): void {
    for (let done = 0; done < this.#buffered; ) {
      done += writeSync(this.#file, this.#buffer, done, this.#buffered - done, this.#written + done);
    }
    this.#written += this.#buffered;
    this.#buffered = 0;
  }

  #read(offset: number, length: number): Buffer {
    if (offset >= this.#written) {
      return this.#buffer.subarray(offset - this.#written, offset - this.#written + length);
    }
    const bytes = Buffer.alloc(length);
    readSync(this.#file, bytes, 0, length, offset);
    return bytes;
  }
}

function keyOf(text: string): Buffer {
  return createHash('sha256').update(text).digest().subarray(0, KEY_BYTES);
}

function chainOf(key: Buffer): number {
  return key.readUInt32LE(0) % CHAINS;
}
