import { createHash } from 'node:crypto';
import type { Context } from 'hono';
import type { RequestEnv, ResponseHeaders } from '../request/request-env.ts';
import { BEST_BROTLI_QUALITY, encode, encodingHeaders, encodingOf } from './encoding.ts';
import { matchesETag } from './etag.ts';
import { memoizeAsync } from './memoize-async.ts';

/** Larger content would take too long to compress with the best quality. */
const MAX_BEST_QUALITY_BYTES = 16_384;

/** A handler whose responses all have the same content. */
export type StaticResponse = (c: Context<RequestEnv>) => Promise<Response>;

/**
 * Returns a handler that sends content with an `ETag`, in the best encoding that the client accepts, or responds with 304 if
 * the client already has it. Each encoding is compressed once, at its first request: most large files are never requested,
 * and the others usually in one encoding. Only for public content, see {@link encode}.
 *
 * @param headers must include `Content-Type`. `Cache-Control` is `no-cache` (revalidate each time) unless given.
 */
export function createStaticResponse(content: string | Buffer, headers: ResponseHeaders): StaticResponse {
  const bytes = Buffer.from(content);
  const quality = bytes.length > MAX_BEST_QUALITY_BYTES ? undefined : BEST_BROTLI_QUALITY;
  const bodies = {
    br: memoizeAsync(() => encode(bytes, 'br', quality)),
    gzip: memoizeAsync(() => encode(bytes, 'gzip')),
    identity: async () => bytes,
  };
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
  return async (c) => {
    const encoding = encodingOf(c.req.header('accept-encoding') ?? '');
    // A strong ETag identifies the bytes, which differ by encoding.
    const etag = `"${hash}-${encoding}"`;
    const common = { 'Cache-Control': 'no-cache', Vary: 'Accept-Encoding', ...headers, ETag: etag };
    if (matchesETag(c.req.header('if-none-match') ?? '', etag, 'weak')) return c.body(null, 304, common);
    return c.body(await bodies[encoding](), 200, { ...common, ...encodingHeaders(encoding) });
  };
}
