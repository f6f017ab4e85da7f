import { readdir, readFile } from 'node:fs/promises';
import { type GraphQLSchema, introspectionFromSchema } from 'graphql';
import { Hono } from 'hono';
import type { RequestEnv } from '../../http/request/request-env.ts';
import { memoizeAsync } from '../../http/response/memoize-async.ts';
import { createStaticResponse } from '../../http/response/static-response.ts';
import { type Assets, createAssets } from '../../pages/assets.ts';
import { html, raw } from '../../pages/html.ts';
import { type HostCheck, prefersHtml } from '../../pages/middleware.ts';
import { recipeTitle } from '../../pages/reference/graphql/types.ts';
import type { HtmlPage, Site } from '../../pages/site.ts';
import type { PageConfig } from './browser/config.ts';
import { readCookbook } from './cookbook.ts';

/** Options of {@link createGraphiQL}. */
export interface GraphiQLOptions {
  /** Filled in on the page, which anyone can read. Must be the key of a demo organization, or undefined. */
  readonly demoKey: string | undefined;
  readonly hostCheck: HostCheck;
  readonly site: Pick<Site, 'render'>;
}

/** Overrides directives of the Content Security Policy, because the editor uses inline styles, workers and fonts. */
const POLICY = {
  'style-src': "'self' 'unsafe-inline'",
  'img-src': "'self' data:",
  'font-src': "'self'",
  'connect-src': "'self'",
  'worker-src': "'self'",
  'form-action': "'none'",
};

/**
 * GraphiQL at `GET /graphql` for requests that prefer HTML, without authentication and rate limiting; the API handles all
 * other requests. The page loads nothing from other hosts.
 *
 * @param schema the schema of the API; the page loads it as a file that browsers cache.
 */
export function createGraphiQL({ demoKey, hostCheck, site }: GraphiQLOptions, schema: GraphQLSchema): Hono<RequestEnv> {
  const routes = new Hono<RequestEnv>();
  const assets = graphiqlAssets(schema);
  const page = memoizeAsync(async () => {
    const cookbook = await readCookbook();
    const examples = cookbook.map(({ name, description, query, variables = null }) => ({
      title: recipeTitle(name),
      description,
      query,
      variables,
    }));
    const folder = `/graphql/graphiql/${await assets.version()}`;
    const { body, headers } = await site.render(describePage({ folder, demoKey: demoKey ?? '', examples }));
    const type = { 'Content-Type': 'text/html; charset=utf-8', Vary: 'Accept, Accept-Encoding' };
    return createStaticResponse(body, { ...headers, ...type });
  });

  routes.get('/', async (c, next) => {
    if (!prefersHtml(c)) return next();
    return hostCheck(c) ?? (await page())(c);
  });
  routes.route('/graphiql', assets.routes);
  return routes;
}

function describePage(config: PageConfig): HtmlPage {
  const { folder, demoKey } = config;
  return {
    title: 'GraphiQL',
    current: '/graphql',
    policy: POLICY,
    files: html`<link rel="stylesheet" href="${folder}/style.css">
  <script type="module" src="${folder}/start.js"></script>`,
    main: html`
  <div class="key-bar">
    <h1>GraphiQL</h1>
    <form id="key">
      <label for="api-key">API key</label>
      <input id="api-key" name="api-key" autocomplete="off" spellcheck="false" placeholder="cms_…">
      <span id="key-status" role="status"></span>
      ${demoKey && html`<button class="button" id="use-demo-key" type="button" hidden>Use the demo organization’s key</button>`}
    </form>
  </div>
  <noscript><p>GraphiQL needs JavaScript.</p></noscript>
  <div id="root"></div>
  <script id="config" type="application/json">${raw(JSON.stringify(config).replaceAll('<', '\\u003c'))}</script>`,
  };
}

/** The output of `npm run build:graphiql`, which bundles the folder `browser`. */
const FILES = new URL('../../../dist/graphiql/', import.meta.url);

/** The files of GraphiQL, and `schema.json`, the introspection of the schema. */
function graphiqlAssets(schema: GraphQLSchema): Assets {
  return createAssets(async () => {
    const names = (await readdir(FILES)).filter((name) => /\.(?:js|css|ttf|json)$/.test(name)).sort();
    const files = await Promise.all(
      names.map(async (name) => ({
        name,
        content: await readFile(new URL(name, FILES)),
      })),
    );
    const introspection = JSON.stringify({ data: introspectionFromSchema(schema) });
    return [...files, { name: 'schema.json', content: introspection }];
  });
}
