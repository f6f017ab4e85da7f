import type { Context, MiddlewareHandler } from 'hono';
import { accepts } from 'hono/accepts';
import type { RequestEnv } from '../http/request/request-env.ts';
import { html } from './html.ts';
import type { HtmlPage, Site } from './site.ts';

const TYPES = ['application/json', 'application/graphql-response+json', 'text/html'];

/** Whether a GET or HEAD request has no API key and prefers HTML to JSON. Requests with a key are for an API. */
export function prefersHtml(c: Context<RequestEnv>): boolean {
  if (!['GET', 'HEAD'].includes(c.req.method) || c.req.header('x-api-key') !== undefined) return false;
  return accepts(c, { header: 'Accept', supports: TYPES, default: 'application/json' }) === 'text/html';
}

/**
 * Whether a request comes from a person who navigates in a browser, and gets a page instead of JSON. Such a request
 * accepts XHTML and has no API key. Accepting `text/html` is not enough: some programs do so too, such as Java's
 * HttpURLConnection by default.
 */
export function prefersPage(c: Context<RequestEnv>): boolean {
  return (c.req.header('accept') ?? '').includes('application/xhtml+xml') && prefersHtml(c);
}

/** The interval at which the browser reloads the page of a starting service, as its `Refresh` header. */
export const RELOAD_SECONDS = 2;

function notFound(suggestion: string | undefined): HtmlPage {
  return {
    title: 'Not found',
    main: html`
      <h1>Not found</h1>
      <p class="lead">This page does not exist. ${suggestion && html`Did you mean <code>${suggestion}</code>? `}Check the address,
        or go to the <a href="/">start page</a>.</p>`,
  };
}

const UNAUTHORIZED: HtmlPage = {
  title: 'An API key is needed',
  main: html`
      <h1>An API key is needed</h1>
      <p class="lead">This address belongs to an API. Programs call it with a key in the header <code>X-Api-Key</code>,
        which a browser does not send. The <a href="/">start page</a> shows how to call it.</p>`,
};

/** The page while the service starts, see {@link RELOAD_SECONDS}. */
export const STARTING: HtmlPage = {
  title: 'Starting',
  main: html`
      <h1>The service is starting</h1>
      <p class="lead">This page reloads until it is ready.</p>`,
};

/**
 * Middleware that responds with a page to browsers that request an unknown path, without authentication. Other requests
 * are passed on.
 *
 * @param suggest returns a similar path of an API, if there is one.
 */
export function notFoundPage(
  site: Pick<Site, 'respond'>,
  suggest: (path: string) => string | undefined,
): MiddlewareHandler<RequestEnv> {
  return (c, next) => (prefersPage(c) ? respondWithPage(c, site, notFound(suggest(c.req.path)), 404) : next());
}

async function respondWithPage(
  c: Context<RequestEnv>,
  site: Pick<Site, 'respond'>,
  page: HtmlPage,
  status: 401 | 404,
): Promise<Response> {
  const response = await site.respond(c, page, status);
  response.headers.set('Vary', 'Accept');
  return response;
}

/**
 * Middleware that replaces the JSON of a 401 response with a page for browsers. Other responses are unchanged.
 */
export function unauthorizedPage(site: Pick<Site, 'respond'>): MiddlewareHandler<RequestEnv> {
  return async (c, next) => {
    await next();
    if (c.res.status !== 401 || !prefersPage(c)) return;
    if (!c.res.headers.get('content-type')?.includes('json')) return;
    const page = await respondWithPage(c, site, UNAUTHORIZED, 401);
    // Otherwise, Hono would add the headers of the JSON response to the page.
    c.res = undefined;
    c.res = page;
    c.set('hasHeaders', false);
  };
}

/** Returns a 421 response for a page request with a disallowed `Host` header, otherwise undefined. */
export type HostCheck = (c: Context) => Response | undefined;

/**
 * Creates the check that a page is requested under a loopback name, a loopback address or an allowed host.
 *
 * It prevents DNS rebinding: the host name of another site could resolve to the address of this service, so that
 * scripts of that site could read the pages and the demo key in them. The APIs need no such check, because they require
 * a key.
 *
 * @param allowed further host names and addresses, without ports; `*.example.org` allows all subdomains.
 */
export function createHostCheck(allowed: readonly string[]): HostCheck {
  const names = new Set(allowed.filter((name) => !name.startsWith('*.')).map((name) => hostNameOf(name) ?? name));
  const suffixes = allowed.filter((name) => name.startsWith('*.')).map((name) => name.slice(1).toLowerCase());
  return (c) => {
    const host = c.req.header('host') ?? new URL(c.req.url).host;
    const name = hostNameOf(host);
    if (name && (isLoopback(name) || names.has(name) || suffixes.some((suffix) => name.endsWith(suffix)))) {
      return undefined;
    }
    return c.text(
      `This page is not served under the host ${JSON.stringify(name ?? host)}. ` +
        'To allow it, add the host to the setting ALLOWED_HOSTS.\n',
      421,
    );
  };
}

/** The host in lower case without port and trailing dot, with IPv4 addresses normalized. */
function hostNameOf(host: string): string | undefined {
  return URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname.replace(/\.$/, '') : undefined;
}

function isLoopback(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost') || name === '[::1]' || /^127(\.\d{1,3}){3}$/.test(name);
}

/** Middleware that redirects the address of a page with a trailing slash to the address without it. */
export function redirectTrailingSlash(): MiddlewareHandler {
  return async (c, next) => {
    const { pathname, search } = new URL(c.req.url);
    if (!pathname.endsWith('/') || !['GET', 'HEAD'].includes(c.req.method)) return next();
    return c.redirect(withoutTrailingSlashes(pathname) + search, 308);
  };
}

/**
 * Returns a path without the slashes at its end. Not by a regular expression, which takes quadratic time if there are
 * many slashes within the path.
 */
export function withoutTrailingSlashes(path: string): string {
  let end = path.length;
  while (path.endsWith('/', end)) end -= 1;
  return path.slice(0, end);
}
