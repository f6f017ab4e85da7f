import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** A content encoding of responses. */
export type Encoding = 'br' | 'gzip' | 'identity';

/** Larger than with the default quality by a tenth, and much faster. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

/** The smallest encoding that a client accepts. @param acceptEncoding the header `Accept-Encoding`. */
export function encodingOf(acceptEncoding: string): Encoding {
  const accepted = new Set(
    acceptEncoding
      .split(',')
      .map((part) => part.trim().toLowerCase())
      .filter((part) => !/;\s*q=0(\.0*)?$/.test(part))
      .map((part) => part.split(';')[0]?.trim()),
  );
  return accepted.has('br') ? 'br' : accepted.has('gzip') ? 'gzip' : 'identity';
}

/**
 * Compresses content in another thread. Only for public content: the length of a compressed response discloses secrets next
 * to text that a caller chooses (BREACH).
 */
export async function encode(content: Buffer<ArrayBuffer>, encoding: Encoding): Promise<Buffer<ArrayBuffer>> {
  if (encoding === 'identity') return content;
  return encoding === 'br' ? promisify(brotliCompress)(content, BROTLI) : promisify(gzip)(content);
}

/** The header of an encoding; none for content that is not encoded. */
export function encodingHeaders(encoding: Encoding): { 'Content-Encoding'?: string } {
  return encoding === 'identity' ? {} : { 'Content-Encoding': encoding };
}

/** Whether a client has the content with this ETag already. @param etag without `W/`. */
export function hasETag(ifNoneMatch: string | undefined, etag: string): boolean {
  return (ifNoneMatch ?? '').split(',').some((one) => [etag, '*'].includes(one.trim().replace(/^W\//, '')));
}
