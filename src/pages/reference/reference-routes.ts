import type { Context, Hono } from 'hono';
import { LRUCache } from 'lru-cache';
import { MAX_SEARCH_CHARACTERS } from '../../domain/values/limits.ts';
import type { RequestEnv } from '../../http/request/request-env.ts';
import { once } from '../../http/response/once.ts';
import { createStaticResponse, type StaticResponse } from '../../http/response/static-response.ts';
import type { Assets } from '../assets.ts';
import { type Html, html } from '../html.ts';
import type { Site } from '../site.ts';
import { referencePage } from './page.ts';
import { SAMPLE_ORIGIN } from './samples.ts';
import { createSearch } from './search.ts';
import { searchPage } from './search-page.ts';
import type { Reference, ReferenceHeading } from './section.ts';

export interface ReferenceRoutesOptions {
  readonly site: Pick<Site, 'render' | 'respond' | 'baseAddress'>;
  /**
   * Charges the client address for a search, or for a page with an address of the service that is not kept.
   *
   * @throws {ServiceError} `rate_limited`.
   */
  readonly charge: (c: Context<RequestEnv>) => Promise<void>;
  /** The stylesheet and the scripts. */
  readonly assets: Assets;
  readonly heading: ReferenceHeading;
  /** The reference of the other API. */
  readonly other: ReferenceHeading;
  /** Filled in on the page. */
  readonly demoKey: string | undefined;
}

/** How many addresses of the service a page is kept for. A service has fewer, but clients can invent others in `Host`. */
const MAX_ADDRESSES = 8;

/** Addresses as long as host names can be that need no escaping in samples. Clients and proxies can send others. */
const ADDRESS = /^[\w.:/[\]-]{1,270}$/;

/**
 * Adds the routes of a reference: the page, and the page of search results, which its script reads too.
 *
 * @param routes whose base path is `/docs`.
 * @param load called at the first request, and again if it failed.
 */
export function addReferenceRoutes(
  routes: Hono<RequestEnv>,
  { site, charge, assets, heading, other, demoKey }: ReferenceRoutesOptions,
  load: () => Promise<Reference>,
): void {
  const { path } = heading;
  const loaded = once(async () => {
    const reference = await load();
    const page = await site.render({
      ...referencePage(reference, heading, other, demoKey),
      current: path,
      // The script sends requests to the APIs and to the search.
      policy: { 'connect-src': "'self'" },
      files: await files(assets, 'reference.js', 'try-it.js'),
    });
    return { page, search: await createSearch(reference.groups) };
  });
  /** The page for each address of the service, which its samples contain. */
  const pages = new LRUCache<string, StaticResponse>({ max: MAX_ADDRESSES });
  const pageFor = async (c: Context<RequestEnv>): Promise<StaticResponse> => {
    const requested = site.baseAddress(c);
    const address = ADDRESS.test(requested) ? requested : SAMPLE_ORIGIN;
    const { body, headers } = (await loaded()).page;
    if (pages.size >= MAX_ADDRESSES && !pages.has(address)) await charge(c);
    const type = { 'Content-Type': 'text/html; charset=utf-8' };
    const page =
      pages.get(address) ?? createStaticResponse(body.replaceAll(SAMPLE_ORIGIN, address), { ...headers, ...type });
    pages.set(address, page);
    return page;
  };
  const below = path.slice('/docs'.length);
  routes.get(below || '/', async (c) => (await pageFor(c))(c));
  routes.get(`${below}/search`, async (c) => {
    await charge(c);
    const query = (c.req.query('q') ?? '').trim();
    const found = query.length > MAX_SEARCH_CHARACTERS ? undefined : (await loaded()).search(query);
    const page = { ...searchPage({ heading, other, query, found }), current: path, files: await files(assets) };
    return site.respond(c, page, found ? 200 : 400);
  });
}

async function files(assets: Assets, ...scripts: readonly string[]): Promise<Html> {
  const folder = `/docs/assets/${await assets.version()}`;
  return html`<link rel="stylesheet" href="${folder}/reference.css">
  ${scripts.map((name) => html`<script src="${folder}/${name}" defer></script>\n  `)}`;
}
