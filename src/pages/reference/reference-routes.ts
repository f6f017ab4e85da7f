import type { Context, Hono } from 'hono';
import { LRUCache } from 'lru-cache';
import { MAX_SEARCH_CHARACTERS } from '../../domain/core/limits.ts';
import type { RequestEnv } from '../../http/request/request-env.ts';
import { once } from '../../http/response/once.ts';
import { createStaticResponse, type StaticResponse } from '../../http/response/static-response.ts';
import type { Assets } from '../assets.ts';
import { type Html, html } from '../html.ts';
import type { Page } from '../layout.ts';
import type { Site } from '../site.ts';
import { referencePage } from './page.ts';
import { SAMPLE_ORIGIN } from './samples.ts';
import { createSearch, type FoundSection } from './search.ts';
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
 * Adds the routes of a reference: the page, the page of search results, and the same results as JSON for the script of
 * the page: the ids of the sections, the best first.
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
  const respond = async (c: Context<RequestEnv>, page: Pick<Page, 'title' | 'main'>, status: 200 | 400) =>
    site.respond(c, { ...page, current: path, files: await files(assets) }, status);
  const below = path.slice('/docs'.length);
  /** Adds a route that searches. @param respond responds; `found` is undefined if the query is too long. */
  const addSearch = (
    end: string,
    respond: (c: Context<RequestEnv>, query: string, found: readonly FoundSection[] | undefined) => Promise<Response>,
  ) => {
    routes.get(`${below}${end}`, async (c) => {
      await charge(c);
      const query = (c.req.query('q') ?? '').trim();
      return respond(c, query, query.length > MAX_SEARCH_CHARACTERS ? undefined : (await loaded()).search(query));
    });
  };

  routes.get(below || '/', async (c) => (await pageFor(c))(c));
  addSearch('/search', (c, query, found) =>
    respond(c, searchPage({ heading, other, query, found }), found ? 200 : 400),
  );
  addSearch('/search.json', async (c, _query, found) => (found ? c.json(found.map(({ id }) => id)) : c.json([], 400)));
}

async function files(assets: Assets, ...scripts: readonly string[]): Promise<Html> {
  const folder = `/docs/assets/${await assets.version()}`;
  return html`<link rel="stylesheet" href="${folder}/reference.css">
  ${scripts.map((name) => html`<script src="${folder}/${name}" defer></script>\n  `)}`;
}
