import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { parseAccept } from 'hono/utils/accept';

/** A content encoding of responses. */
export type Encoding = 'br' | 'gzip' | 'identity';

/** The default, for content that is compressed on each request: much faster than the best, about 10% larger. */
const FAST_BROTLI_QUALITY = 5;

/** For small content that is compressed once. */
export const BEST_BROTLI_QUALITY = constants.BROTLI_MAX_QUALITY;

/** Returns the encoding with the smallest result that the header `Accept-Encoding` allows: Brotli, then gzip. */
export function encodingOf(acceptEncoding: string): Encoding {
  const accepted = new Set(
    parseAccept(acceptEncoding)
      .filter(({ q }) => q > 0)
      .map(({ type }) => type.toLowerCase()),
  );
  return accepted.has('br') ? 'br' : accepted.has('gzip') ? 'gzip' : 'identity';
}

/**
 * Compresses content in the thread pool. Only for public content and for pages that no other site requests: if a response
 * contains a secret and text that an attacker chooses, its compressed length can disclose the secret (BREACH).
 */
export async function encode(
  content: Buffer<ArrayBuffer>,
  encoding: Encoding,
  quality = FAST_BROTLI_QUALITY,
): Promise<Buffer<ArrayBuffer>> {
  if (encoding === 'identity') return content;
  if (encoding === 'gzip') return promisify(gzip)(content);
  return promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } });
}

/** The headers of a response with this encoding. */
export function encodingHeaders(encoding: Encoding): { 'Content-Encoding'?: string } {
  return encoding === 'identity' ? {} : { 'Content-Encoding': encoding };
}
