import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Hono } from 'hono';
import { getMimeType } from 'hono/utils/mime';
import type { RequestEnv } from '../http/request/request-env.ts';
import { memoizeAsync } from '../http/response/memoize-async.ts';
import { otherMethodResponse } from '../http/response/other-methods.ts';
import { createStaticResponse, type StaticResponse } from '../http/response/static-response.ts';

export interface AssetFile {
  /** The end of the name determines the media type. */
  readonly name: string;
  readonly content: string | Buffer;
}

export interface Assets {
  /** The path segment of their URLs, a hash of their content. */
  version(): Promise<string>;
  /** `/:version/:file`; other paths and unknown files are passed on. */
  readonly routes: Hono<RequestEnv>;
}

interface LoadedAssets {
  readonly version: string;
  readonly files: ReadonlyMap<string, StaticResponse>;
}

const CACHE_CONTROL = 'public, max-age=31536000, immutable';

/** Reads a file of the folder `public`. */
export async function readPublicFile(name: string): Promise<AssetFile> {
  return { name, content: await readFile(new URL(`../../src/pages/public/${name}`, import.meta.url)) };
}

/** Reads files of a folder in `public` as one stylesheet with the name of the folder, in this order. */
async function readStylesheet(folder: string, parts: readonly string[]): Promise<AssetFile> {
  const files = await Promise.all(parts.map((part) => readPublicFile(`${folder}/${part}.css`)));
  return { name: `${folder}.css`, content: files.map(({ content }) => content).join('') };
}

/** The stylesheets of the pages. Each is a folder in `public`, with the names of its files in order. */
const STYLESHEETS = {
  style: ['elements', 'frame', 'components'],
  developer: ['layout', 'forms', 'keys'],
  reference: ['layout', 'search', 'entries', 'code'],
} as const;

/** Creates routes for a stylesheet and further files of the folder `public`. */
export function createPublicAssets(stylesheet: keyof typeof STYLESHEETS, ...names: readonly string[]): Assets {
  return createAssets(() =>
    Promise.all([readStylesheet(stylesheet, STYLESHEETS[stylesheet]), ...names.map(readPublicFile)]),
  );
}

/** Creates routes for files that are loaded on first use. @param load called again after a failure. */
export function createAssets(load: () => Promise<readonly AssetFile[]>): Assets {
  const loaded = memoizeAsync(async () => toResponses(await load()));
  const routes = new Hono<RequestEnv>();
  // All methods, because whether a path exists depends on the files.
  routes.all('/:version/:file', async (c, next) => {
    const { version, files } = await loaded();
    const file = files.get(c.req.param('file'));
    if (!file || c.req.param('version') !== version) return next();
    return otherMethodResponse(c) ?? (await file(c));
  });
  return { version: async () => (await loaded()).version, routes };
}

function toResponses(files: readonly AssetFile[]): LoadedAssets {
  const hash = createHash('sha256');
  for (const { content } of files) hash.update(content);
  const responses = files.map(({ name, content }) => {
    const headers = { 'Content-Type': getMimeType(name) as string, 'Cache-Control': CACHE_CONTROL };
    return [name, createStaticResponse(content, headers)] as const;
  });
  return { version: hash.digest('hex').slice(0, 16), files: new Map(responses) };
}
