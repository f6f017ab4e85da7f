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

/** The files of a page, all served by this service. */
export interface Assets {
  /** The folder of their addresses, below where the routes are; it changes with their content. */
  version(): Promise<string>;
  /** `GET /:version/:file`; what is not a file goes on. */
  readonly routes: Hono<RequestEnv>;
}

interface Packed {
  readonly version: string;
  readonly files: ReadonlyMap<string, { readonly type: string; readonly br: Buffer; readonly gzip: Buffer }>;
}

const FOREVER = 'public, max-age=31536000, immutable';

/** @param load called when a page is first asked for, and again as long as it fails: a failure is never kept. */
export function createAssets(load: () => Promise<readonly AssetFile[]>): Assets {
  let packing: Promise<Packed> | undefined;
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
      'Cache-Control': FOREVER,
      Vary: 'Accept-Encoding',
    });
  });
  return { version: async () => (await packed()).version, routes };
}

async function pack(files: readonly AssetFile[]): Promise<Packed> {
  const hash = createHash('sha256');
  for (const { content } of files) hash.update(content);
  const packed = await Promise.all(
    files.map(async ({ name, type, content }) => [name, { type, ...(await compress(Buffer.from(content))) }] as const),
  );
  return { version: hash.digest('hex').slice(0, 16), files: new Map(packed) };
}

/** Quality 5: as small as gzip's best in a fraction of the time that the default takes. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

async function compress(content: Buffer): Promise<{ br: Buffer; gzip: Buffer }> {
  const [br, gzipped] = await Promise.all([promisify(brotliCompress)(content, BROTLI), promisify(gzip)(content)]);
  return { br, gzip: gzipped };
}
