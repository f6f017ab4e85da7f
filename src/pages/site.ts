import { type Context, Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { baseAddress } from '../http/request/base-address.ts';
import type { RequestEnv } from '../http/request/request-env.ts';
import { encode, encodingHeaders, encodingOf } from '../http/response/encoding.ts';
import { memoizeAsync } from '../http/response/memoize-async.ts';
import { createStaticResponse } from '../http/response/static-response.ts';
import { createPublicAssets, readPublicFile } from './assets.ts';
import { type Html, html } from './html.ts';

/** Which pages are served. */
export interface SiteOptions {
  readonly docs: boolean;
  readonly graphiql: boolean;
  readonly developer: boolean;
  /** The number of trusted proxies in front of the service. */
  readonly trustProxy: number;
}

/** The layout of all pages. */
export interface Site {
  /** The files of all pages and the icon, without authentication and rate limiting. */
  readonly routes: Hono<RequestEnv>;
  /** The pages that are served. */
  readonly navigation: readonly NavigationItem[];
  /** Renders a page within the layout. */
  respond(c: Context<RequestEnv>, page: HtmlPage, status?: ContentfulStatusCode): Promise<Response>;
  /** Renders a page that is the same for all requests; returns its HTML and the headers of its response. */
  render(page: HtmlPage): Promise<{ readonly body: string; readonly headers: Record<string, string> }>;
  /** The origin under which the client reached the service. */
  baseAddress(c: Context<RequestEnv>): string;
}

/** Allows no external and no inline resources. */
const CONTENT_SECURITY_POLICY = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'self'",
  'frame-ancestors': "'none'",
};

function securityHeaders(policy: HtmlPage['policy']): Record<string, string> {
  const directives = Object.entries({ ...CONTENT_SECURITY_POLICY, ...policy });
  return {
    'Content-Security-Policy': directives.map(([directive, sources]) => `${directive} ${sources}`).join('; '),
    'Cross-Origin-Opener-Policy': 'same-origin',
    // Not `no-referrer`, because browsers would then send forms with `Origin: null`.
    'Referrer-Policy': 'same-origin',
  };
}

/**
 * Whether a browser states that no other site initiated the request. Pages are compressed only for such requests:
 * another site could request a page with text of its choice, and conclude from the length of the response what else the
 * page contains (BREACH).
 */
function isNotCrossSite(c: Context): boolean {
  return ['same-origin', 'none'].includes(c.req.header('sec-fetch-site') ?? '');
}

/**
 * Creates the layout of the pages. The link to the account is the same for everyone, so that a cached page shows nothing
 * of the person who requested it.
 */
export function createSite({ docs, graphiql, developer, trustProxy }: SiteOptions): Site {
  const pages: readonly (NavigationItem & { readonly isServed: boolean })[] = [
    { path: '/docs', name: 'REST', isServed: docs },
    { path: '/docs/graphql', name: 'GraphQL', isServed: docs },
    { path: '/graphql', name: 'GraphiQL', isServed: graphiql },
    { path: '/developer', name: 'API keys', isServed: developer },
    { path: '/developer/account', name: 'Account', isServed: developer },
  ];
  const navigation = pages.filter(({ isServed }) => isServed);
  const assets = createPublicAssets('style', 'page.js', 'icon.svg');
  const icon = memoizeAsync(async () => {
    const { content } = await readPublicFile('icon.svg');
    return createStaticResponse(content, {
      'Content-Type': 'image/svg+xml; charset=utf-8',
      'Cache-Control': 'public, max-age=86400',
    });
  });
  const site: Site = {
    navigation,
    routes: new Hono<RequestEnv>(),
    async respond(c, page, status = 200) {
      const { body, headers } = await site.render(page);
      const encoding = isNotCrossSite(c) ? encodingOf(c.req.header('accept-encoding') ?? '') : 'identity';
      const content = await encode(Buffer.from(body), encoding);
      const type = { 'Content-Type': 'text/html; charset=UTF-8', ...encodingHeaders(encoding) };
      return c.body(content, status, { ...headers, ...type });
    },
    async render(page) {
      const body = layout(page, navigation, `/assets/${await assets.version()}`);
      return { body: String(await body), headers: securityHeaders(page.policy) };
    },
    baseAddress: (c) => baseAddress(c.req.url, c.req.raw.headers, trustProxy),
  };
  site.routes.route('/assets', assets.routes);
  // Browsers request this icon for responses that are not pages.
  site.routes.get('/favicon.ico', async (c) => (await icon())(c));
  return site;
}

/** The name of the service on every page. */
export const SERVICE_NAME = 'Community Membership Service';

/** An entry of the main navigation. */
interface NavigationItem {
  readonly path: string;
  readonly name: string;
}

/** The content of a page within the layout. */
export interface HtmlPage {
  /** The title of the page, without the name of the service. */
  readonly title: string;
  /** The path of its navigation entry. */
  readonly current?: string;
  /** Further stylesheets and scripts, for the document's head. */
  readonly files?: Html;
  /** Directives of the Content Security Policy that differ from those of other pages, with their sources. */
  readonly policy?: Readonly<Record<string, string>>;
  /** The main content, with one `h1`. */
  readonly main: Html;
}

/** A complete page. @param assetsPath the path of its stylesheet and script. */
function layout(
  { title, current, files, main }: HtmlPage,
  navigation: readonly NavigationItem[],
  assetsPath: string,
): Html {
  return html`<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <title>${title === SERVICE_NAME ? title : `${title} · ${SERVICE_NAME}`}</title>
  <link rel="icon" href="${assetsPath}/icon.svg" type="image/svg+xml">
  <link rel="stylesheet" href="${assetsPath}/style.css">
  <script src="${assetsPath}/page.js" defer></script>
  ${files}
</head>
<body>
  <a class="skip" href="#main">Skip to the content</a>
  <header class="top">
    <div class="frame">
      <a class="brand" href="/"><img src="${assetsPath}/icon.svg" alt="">${SERVICE_NAME}</a>
      <nav aria-label="Main">
        <ul>${navigation.map(
          ({ path, name }) =>
            html`<li><a href="${path}"${path === current && html` aria-current="true"`}>${name}</a></li>`,
        )}</ul>
      </nav>
    </div>
  </header>
  <main class="frame" id="main" tabindex="-1">${main}</main>
  <footer class="bottom">
    <div class="frame">REST <code>/v1</code> · GraphQL <code>/graphql</code></div>
  </footer>
</body>
</html>
`;
}
