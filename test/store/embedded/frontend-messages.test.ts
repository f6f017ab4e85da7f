import fc from 'fast-check';
import { afterEach, expect, it, vi } from 'vitest';
import { type ClientRequest, FrontendReader } from '../../../src/store/embedded/frontend-messages.ts';
import { times } from '../../support/data.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

function startup(): Buffer {
  const bytes = Buffer.alloc(9);
  bytes.writeInt32BE(9, 0);
  bytes.writeInt32BE(196_608, 4);
  return bytes;
}

function message(type: string, bodyLength: number): Buffer {
  const bytes = Buffer.alloc(5 + bodyLength, bodyLength % 251);
  bytes.write(type, 0, 'latin1');
  bytes.writeInt32BE(4 + bodyLength, 1);
  return bytes;
}

function readAll(chunks: readonly Buffer[]): ClientRequest[] {
  const reader = new FrontendReader();
  // A request is kept until it is its turn, while the next ones arrive.
  return chunks.flatMap((chunk) => reader.read(Buffer.from(chunk)));
}

function inChunks(bytes: Buffer, sizes: readonly number[]): Buffer[] {
  const chunks: Buffer[] = [];
  for (let start = 0, n = 0; start < bytes.length; n += 1) {
    const size = sizes[n % sizes.length] as number;
    chunks.push(bytes.subarray(start, start + size));
    start += size;
  }
  return chunks;
}

it('requests are the same in whatever chunks they arrive', () => {
  const messages = fc.array(fc.tuple(fc.constantFrom(...'PBDECHSQX'), fc.nat(300)), { maxLength: 30 });
  const sizes = fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1, maxLength: 10 });
  fc.assert(
    fc.property(messages, sizes, (sent, sizes) => {
      const bytes = Buffer.concat([startup(), ...sent.map(([type, length]) => message(type, length))]);
      expect(readAll(inChunks(bytes, sizes))).toEqual(readAll([bytes]));
    }),
  );
});

it('a request is copied a constant number of times', () => {
  const messages = [message('P', 2_000_000), ...times(2_000, () => message('B', 1_000)), message('S', 0)];
  const bytes = Buffer.concat(messages);
  const chunks = [startup(), ...inChunks(bytes, [1_000])];
  const { concat } = Buffer;
  const { copy } = Buffer.prototype;
  let copied = 0;
  vi.spyOn(Buffer, 'concat').mockImplementation((list) => {
    const joined = concat(list);
    copied += joined.length;
    return joined;
  });
  vi.spyOn(Buffer.prototype, 'copy').mockImplementation(function (this: Buffer, ...args) {
    const count = copy.apply(this, args as Parameters<typeof copy>);
    copied += count;
    return count;
  });
  const reader = new FrontendReader();
  const requests = chunks.flatMap((chunk) => reader.read(chunk));
  vi.restoreAllMocks();
  expect(requests).toHaveLength(2);
  expect(requests[1]?.bytes.equals(bytes)).toBe(true);
  expect(copied).toBeLessThan(4 * bytes.length);
});
