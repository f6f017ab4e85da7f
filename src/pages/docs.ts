import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Hono } from 'hono';
import type { RequestEnv } from '../http/request-env.ts';
import { createAssets } from './assets.ts';
import { html } from './html.ts';
import type { Page } from './layout.ts';
import type { Site } from './site.ts';

const require = createRequire(import.meta.url);
const SWAGGER_UI = {
  'swagger-ui.css': require.resolve('swagger-ui-dist/swagger-ui.css'),
  'swagger-ui.js': require.resolve('swagger-ui-dist/swagger-ui-bundle.js'),
};
const DOCS_FILES = {
  'docs.css': new URL('../../src/pages/public/docs.css', import.meta.url),
  'docs.js': new URL('../../src/pages/public/docs.js', import.meta.url),
};

const TYPES: Record<string, string> = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8' };

/**
 * The documentation at `/docs`, without authentication and rate limiting: Swagger UI for `/openapi.json`, with local files
 * only.
 *
 * @param demoKey prefilled, so that every operation can be tried.
 */
export function createDocs(site: Pick<Site, 'respond'>, demoKey: string | undefined): Hono<RequestEnv> {
  const assets = createAssets(() =>
    Promise.all(
      Object.entries({ ...SWAGGER_UI, ...DOCS_FILES }).map(async ([name, location]) => ({
        name,
        type: TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? '',
        content: await readFile(location),
      })),
    ),
  );
  const docs = new Hono<RequestEnv>();
  docs.get('/', async (c) => site.respond(c, docsPage(`/docs/${await assets.version()}`, demoKey)));
  docs.route('/', assets.routes);
  return docs;
}

function docsPage(assetsPath: string, demoKey: string | undefined): Page {
  return {
    title: 'REST API',
    current: '/docs',
    // Swagger UI has data URLs in its stylesheet, and sends requests to the APIs.
    policy: { 'img-src': "'self' data:", 'connect-src': "'self'" },
    files: html`
  <link rel="stylesheet" href="${assetsPath}/swagger-ui.css">
  <link rel="stylesheet" href="${assetsPath}/docs.css">
  <script src="${assetsPath}/swagger-ui.js" defer></script>
  <script src="${assetsPath}/docs.js" defer></script>`,
    main: html`
      <form class="key" id="key">
        <label for="api-key">API key</label>
        <input id="api-key" name="api-key" value="${demoKey ?? ''}" autocomplete="off" spellcheck="false"
          placeholder="cms_…">
        <span class="muted">${
          demoKey === undefined ? 'Kept in this browser tab only.' : 'The demo organization’s key is filled in.'
        }</span>
      </form>
      <noscript><p>The documentation needs JavaScript; the description itself is at
        <a href="/openapi.json">/openapi.json</a>.</p></noscript>
      <div id="docs"></div>`,
  };
}
