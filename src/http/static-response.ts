import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Context } from 'hono';
import type { RequestEnv, ResponseHeaders } from './request-env.ts';

/** A handler whose responses all have the same content. */
export type StaticResponse = (c: Context<RequestEnv>) => Response;

/** Much faster than the default quality, and the result is only a tenth larger. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

/**
 * Compresses content once, and returns a handler that sends it in the best encoding that the client accepts, with an
 * `ETag`, or responds with 304 if the client already has it. Only for public content: the length of a compressed response
 * discloses secrets next to text that a caller chooses (BREACH).
 *
 * @param headers must include `Content-Type`. `Cache-Control` is `no-cache` (revalidate each time) unless given.
 */
export async function createStaticResponse(
  content: string | Buffer,
  headers: ResponseHeaders,
): Promise<StaticResponse> {
  const bytes = Buffer.from(content);
  const [br, gzipped] = await Promise.all([promisify(brotliCompress)(bytes, BROTLI), promisify(gzip)(bytes)]);
  const bodies = { br, gzip: gzipped, identity: bytes };
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
  return (c) => {
    const encoding = encodingOf(c.req.header('accept-encoding') ?? '');
    // A strong ETag identifies the bytes, which differ by encoding.
    const etag = `"${hash}-${encoding}"`;
    const common = { 'Cache-Control': 'no-cache', Vary: 'Accept-Encoding', ...headers, ETag: etag };
    if (hasETag(c.req.header('if-none-match'), etag)) return c.body(null, 304, common);
    return c.body(new Uint8Array(bodies[encoding]), 200, {
      ...common,
      ...(encoding === 'identity' ? {} : { 'Content-Encoding': encoding }),
    });
  };
}

function encodingOf(acceptEncoding: string): 'br' | 'gzip' | 'identity' {
  const accepted = new Set(
    acceptEncoding
      .split(',')
      .map((part) => part.trim().toLowerCase())
      .filter((part) => !/;\s*q=0(\.0*)?$/.test(part))
      .map((part) => part.split(';')[0]?.trim()),
  );
  return accepted.has('br') ? 'br' : accepted.has('gzip') ? 'gzip' : 'identity';
}

function hasETag(ifNoneMatch: string | undefined, etag: string): boolean {
  return (ifNoneMatch ?? '').split(',').some((one) => [etag, '*'].includes(one.trim().replace(/^W\//, '')));
}
