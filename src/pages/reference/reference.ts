import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Context, Hono } from 'hono';
import { LRUCache } from 'lru-cache';
import { MAX_SEARCH_CHARACTERS } from '../../domain/values/limits.ts';
import type { RequestEnv } from '../../http/request/request-env.ts';
import { memoizeAsync } from '../../http/response/memoize-async.ts';
import { createStaticResponse, type StaticResponse } from '../../http/response/static-response.ts';
import { type Assets, createPublicAssets } from '../assets.ts';
import { type Html, html } from '../html.ts';
import type { HtmlPage, Site } from '../site.ts';
import { dataModel } from './drawing.ts';
import { methodBadge, type Reference, type ReferenceHeading, renderSection, SAMPLE_ORIGIN } from './elements.ts';
import { inlineVariables, type OperationRequest } from './graphql/document.ts';
import { type GraphQLReferenceOptions, graphqlReference } from './graphql/reference.ts';
import { readDescription } from './rest/description.ts';
import { type SampleRequest, sampleRequest } from './rest/operation.ts';
import { restReference } from './rest/reference.ts';
import { createSearch, searchForm, searchPage } from './search.ts';
import { keyField } from './try-it.ts';

export interface ReferenceOptions extends Pick<ReferenceRoutesOptions, 'site' | 'charge'> {
  /** The OpenAPI document, as JSON. */
  readonly openApi: () => string;
  /** The GraphQL operation that does the same as a REST request; undefined if there is none. */
  readonly graphqlEquivalent: (request: SampleRequest) => Promise<OperationRequest | undefined>;
  readonly graphql: Pick<GraphQLReferenceOptions, 'schema' | 'costOf' | 'recipes' | 'graphiql'>;
  /** Filled in on the pages, so that every operation can be tried. */
  readonly demoKey: string | undefined;
}

const REST: ReferenceHeading = { path: '/docs', title: 'REST API reference' };
const GRAPHQL: ReferenceHeading = { path: '/docs/graphql', title: 'GraphQL API reference' };

/**
 * The references of the REST API at `/docs` and of the GraphQL API at `/docs/graphql`, each with a search, without
 * authentication. Only searches, and pages for many addresses of the service, are rate-limited. Each page is rendered when
 * it is first requested, in several turns of the event loop, because other requests would otherwise wait for 100 ms.
 */
export function createReference(options: ReferenceOptions): Hono<RequestEnv> {
  const { site, charge, openApi, graphqlEquivalent, graphql, demoKey } = options;
  const describe = async () => {
    const description = readDescription(openApi());
    const equivalents = new Map<string, string>();
    for (const operation of description.operations) {
      await nextTurn();
      const equivalent = await graphqlEquivalent(sampleRequest(operation));
      if (equivalent) equivalents.set(operation.id, inlineVariables(graphql.schema, equivalent));
    }
    await nextTurn();
    return { description, equivalents };
  };
  const assets = createPublicAssets('reference', 'reference.js', 'try-it.js');
  const routes = new Hono<RequestEnv>();
  routes.route('/assets', assets.routes);
  const common = { site, charge, assets, demoKey };
  addReferenceRoutes(routes, { ...common, heading: REST, other: GRAPHQL }, async () => {
    const { description, equivalents } = await describe();
    return restReference(description, equivalents, dataModel(graphql.schema));
  });
  addReferenceRoutes(routes, { ...common, heading: GRAPHQL, other: REST }, async () => {
    const { description, equivalents } = await describe();
    const documents = description.operations.flatMap((rest) => {
      const document = equivalents.get(rest.id);
      return document === undefined ? [] : [{ rest, document }];
    });
    return graphqlReference({ ...graphql, equivalents: documents });
  });
  return routes;
}

interface ReferenceRoutesOptions {
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
function addReferenceRoutes(
  routes: Hono<RequestEnv>,
  { site, charge, assets, heading, other, demoKey }: ReferenceRoutesOptions,
  load: () => Promise<Reference>,
): void {
  const { path } = heading;
  const loaded = memoizeAsync(async () => {
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

/** The page of a reference: its navigation, with the search and links to all sections, and the sections. */
function referencePage(
  { lead, groups }: Reference,
  { path, title }: ReferenceHeading,
  other: ReferenceHeading,
  demoKey: string | undefined,
): Pick<HtmlPage, 'title' | 'main'> {
  return {
    title,
    main: html`<a class="skip" href="#content">Skip the contents</a>
<div class="reference">
<nav class="contents" aria-label="Reference">
<details open>
<summary>Contents</summary>
${searchForm(path, other)}
<ol class="hits" hidden></ol>
<ul>${groups.map(
      (group) =>
        html`<li><a class="group" href="#${group.id}">${group.title}</a><ul>${group.sections.map(
          (section) =>
            html`<li><a href="#${section.id}">${section.title}${section.method && html` ${methodBadge(section.method)}`}</a></li>`,
        )}</ul></li>`,
    )}</ul>
</details>
</nav>
<div class="content" id="content" tabindex="-1">
<h1>${title}</h1>
${lead}
${keyField(demoKey)}
${groups.map(
  (group) => html`<h2 id="${group.id}">${group.title}</h2>${group.lead}
${group.sections.map(renderSection)}`,
)}
</div>
</div>`,
  };
}
