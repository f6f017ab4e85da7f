import { Hono } from 'hono';
import type { RequestEnv } from '../../../http/request-env.ts';
import type { HostCheck } from '../../../pages/allowed-hosts.ts';
import { graphiqlAssets } from './assets.ts';
import { type Recipe, readCookbook } from './cookbook.ts';

export interface GraphiQLOptions {
  /** Filled in on the page; only ever the key of a demo. */
  readonly demoKey: string | undefined;
  readonly hostCheck: HostCheck;
}

/** Nothing from outside: the editor's own styles are inline, its fonts and images are data. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  'font-src data:',
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * GraphiQL at `GET /graphql` for browsers, outside key and count; every other request goes on to the
 * API. All of it comes from this service.
 */
export function createGraphiQL({ demoKey, hostCheck }: GraphiQLOptions): Hono<RequestEnv> {
  const page = new Hono<RequestEnv>();
  const assets = graphiqlAssets();

  page.get('/', async (c, next) => {
    if (!(c.req.header('accept') ?? '').includes('text/html')) return next();
    const refusal = hostCheck(c);
    if (refusal) return refusal;
    return c.html(html(await assets.version(), await readCookbook(), demoKey), 200, {
      'Content-Security-Policy': CONTENT_SECURITY_POLICY,
      'Referrer-Policy': 'no-referrer',
    });
  });

  page.route('/graphiql', assets.routes);
  return page;
}

function html(version: string, cookbook: readonly Recipe[], demoKey: string | undefined): string {
  const folder = `/graphql/graphiql/${version}`;
  const examples = cookbook.map(({ query, variables = null }) => ({ query, variables }));
  const config = { folder, demoKey: demoKey ?? '', examples };
  return `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>GraphiQL · Community Membership Service</title>
  <link rel="icon" href="${folder}/favicon.ico">
  <link rel="stylesheet" href="${folder}/graphiql.css">
  <link rel="stylesheet" href="${folder}/page.css">
</head>
<body>
  <form id="key">
    <label for="api-key">API key</label>
    <input id="api-key" name="api-key" autocomplete="off" spellcheck="false" placeholder="cms_…">
    <span id="key-status" role="status"></span>
    <button id="use-demo-key" type="button" hidden>Use the demo organization’s key</button>
  </form>
  <noscript>GraphiQL needs JavaScript.</noscript>
  <div id="root"></div>
  <script id="config" type="application/json">${JSON.stringify(config).replaceAll('<', '\\u003c')}</script>
  <script src="${folder}/graphiql.js"></script>
  <script src="${folder}/start.js"></script>
</body>
</html>
`;
}
