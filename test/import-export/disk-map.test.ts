import { beforeEach, expect, it, vi } from 'vitest';
import { DiskMap } from '../../src/import-export/records/disk-map.ts';
import { times } from '../support/data.ts';

/** The maximum number of bytes that a read returns; 0 is the end of the file. */
const { reads } = vi.hoisted(() => ({ reads: { maxBytes: 0 } }));

vi.mock('node:fs', async (importOriginal) => {
  const fs = await importOriginal<typeof import('node:fs')>();
  const readSync = (file: number, bytes: Uint8Array, start: number, length: number, offset: number) =>
    fs.readSync(file, bytes, start, Math.min(length, reads.maxBytes), offset);
  return { ...fs, readSync };
});

const COUNT = 2_000;
const valueAt = (n: number) => `value ${n} `.repeat(10);

/** A map of which a part has been written to its file. */
function filledMap(): DiskMap {
  const map = new DiskMap();
  for (let n = 0; n < COUNT; n++) map.set(`key ${n}`, valueAt(n));
  return map;
}

beforeEach(() => {
  reads.maxBytes = 7;
});

it('values are complete if the operating system returns only a part of the bytes at once', () => {
  const map = filledMap();
  expect(times(COUNT, (n) => map.get(`key ${n}`))).toEqual(times(COUNT, valueAt));
  map.close();
});

it('a file that ends too early is an error, not a missing or empty value', () => {
  const map = filledMap();
  reads.maxBytes = 0;
  expect(() => map.get('key 0')).toThrow('The temporary file is incomplete');
  map.close();
});
