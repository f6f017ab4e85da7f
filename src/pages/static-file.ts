import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Context } from 'hono';
import type { RequestEnv } from '../http/request-env.ts';

/** Content that is the same for every client, in each encoding. */
export interface StaticFile {
  readonly type: string;
  readonly etag: string;
  readonly identity: Buffer;
  readonly br: Buffer;
  readonly gzip: Buffer;
}

/** Quality 5 compresses as well as gzip's maximum, much faster than the default quality. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

/**
 * Compresses a file once, for all its responses. Only for public content: the length of a compressed response discloses
 * secrets next to text that a caller chooses (BREACH).
 */
export async function compressFile({ type, content }: { type: string; content: string | Buffer }): Promise<StaticFile> {
  const identity = Buffer.from(content);
  const [br, gzipped] = await Promise.all([promisify(brotliCompress)(identity, BROTLI), promisify(gzip)(identity)]);
  const etag = `"${createHash('sha256').update(identity).digest('base64url').slice(0, 22)}"`;
  return { type, etag, identity, br, gzip: gzipped };
}

/**
 * Responds with a file in an encoding that the client accepts, or with 304 if the client has it.
 *
 * @param cacheControl how long clients may use it without asking again.
 */
export function respondWithFile(c: Context<RequestEnv>, file: StaticFile, cacheControl: string): Response {
  const encoding = encodingFor(c.req.header('accept-encoding'));
  // Weak: the encodings of a file have one tag.
  const etag = `W/${file.etag}`;
  const headers = { 'Cache-Control': cacheControl, ETag: etag, Vary: 'Accept-Encoding' };
  if (isKnown(c.req.header('if-none-match'), file.etag)) return c.body(null, 304, headers);
  return c.body(new Uint8Array(file[encoding]), 200, {
    ...headers,
    'Content-Type': file.type,
    ...(encoding === 'identity' ? {} : { 'Content-Encoding': encoding }),
  });
}

/** The first of `br`, `gzip` and `identity` that an `Accept-Encoding` header lists without `q=0`. */
function encodingFor(accepted = ''): 'br' | 'gzip' | 'identity' {
  const offers = accepted.split(',').map((offer) =>
    offer
      .trim()
      .toLowerCase()
      .split(/\s*;\s*q=\s*/),
  );
  const accepts = (encoding: string) => offers.some(([name, quality]) => name === encoding && Number(quality ?? 1) > 0);
  if (accepts('br')) return 'br';
  return accepts('gzip') ? 'gzip' : 'identity';
}

/** Whether `If-None-Match` has the tag, weak or strong. */
function isKnown(tags = '', etag: string): boolean {
  return tags.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag);
}
