import { expect, it } from 'vitest';
import { readBytes } from '../../../src/import-export/records/disk-map.ts';

const CONTENT = Buffer.from('the content of a file');

/** Reads at most a number of bytes at once; 0 bytes are the end of the file. */
function readAtMost(maxBytes: number) {
  return (_file: number, into: Buffer, start: number, length: number, offset: number): number =>
    CONTENT.copy(into, start, offset, offset + Math.min(length, maxBytes));
}

it('bytes are complete if the operating system returns only a part of them at once', () => {
  expect(readBytes(0, 4, 7, readAtMost(3)).toString()).toBe('content');
});

it('a file that ends too early is an error, not a missing value', () => {
  expect(() => readBytes(0, 4, 7, readAtMost(0))).toThrow('The temporary file is incomplete');
});
