import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { Hono } from 'hono';
import type { RequestEnv } from '../http/request-env.ts';

/** A file that a page loads. */
export interface AssetFile {
  readonly name: string;
  readonly type: string;
  readonly content: string | Buffer;
}

/** The files of a page. */
export interface Assets {
  /** The path segment of their URLs, a hash of their content. */
  version(): Promise<string>;
  /** `GET /:version/:file`; other paths are passed on. */
  readonly routes: Hono<RequestEnv>;
}

interface PackedAssets {
  readonly version: string;
  readonly files: ReadonlyMap<string, { readonly type: string; readonly br: Buffer; readonly gzip: Buffer }>;
}

const CACHE_CONTROL = 'public, max-age=31536000, immutable';

/** Creates routes for files that are loaded on first use. @param load called again after a failure. */
export function createAssets(load: () => Promise<readonly AssetFile[]>): Assets {
  let packing: Promise<PackedAssets> | undefined;
  const packed = () => {
    packing ??= load()
      .then(pack)
      .catch((error: unknown) => {
        packing = undefined;
        throw error;
      });
    return packing;
  };
  const routes = new Hono<RequestEnv>();
  routes.get('/:version/:file', async (c, next) => {
    const { version, files } = await packed();
    const file = files.get(c.req.param('file'));
    if (!file || c.req.param('version') !== version) return next();
    const encoding = (c.req.header('accept-encoding') ?? '').includes('br') ? 'br' : 'gzip';
    return c.body(new Uint8Array(file[encoding]), 200, {
      'Content-Type': file.type,
      'Content-Encoding': encoding,
      'Cache-Control': CACHE_CONTROL,
      Vary: 'Accept-Encoding',
    });
  });
  return { version: async () => (await packed()).version, routes };
}

async function pack(files: readonly AssetFile[]): Promise<PackedAssets> {
  const hash = createHash('sha256');
  for (const { content } of files) hash.update(content);
  const packed = await Promise.all(
    files.map(async ({ name, type, content }) => [name, { type, ...(await compress(Buffer.from(content))) }] as const),
  );
  return { version: hash.digest('hex').slice(0, 16), files: new Map(packed) };
}

/** Quality 5 compresses as well as gzip's maximum, much faster than the default quality. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

async function compress(content: Buffer): Promise<{ br: Buffer; gzip: Buffer }> {
  const [br, gzipped] = await Promise.all([promisify(brotliCompress)(content, BROTLI), promisify(gzip)(content)]);
  return { br, gzip: gzipped };
}
