import { readFile } from 'node:fs/promises';
import { type Context, Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { baseAddress } from '../http/base-address.ts';
import type { RequestEnv } from '../http/request-env.ts';
import { createAssets } from './assets.ts';
import { layout, type Page, type Way } from './layout.ts';
import { startPage } from './start-page.ts';

export interface SiteOptions {
  /** Whether the documentation is served. */
  readonly docs: boolean;
  /** Whether GraphiQL is served. */
  readonly graphiql: boolean;
  /** Whether the developer page is served. */
  readonly developer: boolean;
  /** Shown on the start page and filled in in the documentation; only ever the key of a demo. */
  readonly demoKey: string | undefined;
  readonly trustProxy: number;
}

/** The server-rendered pages: their frame, and the start page. */
export interface Site {
  /** `/` and the files of all pages, outside key and count. */
  readonly routes: Hono<RequestEnv>;
  /** Answers with a page in the frame of all. */
  respond(c: Context<RequestEnv>, page: Page, status?: ContentfulStatusCode): Promise<Response>;
  /** The address under which the client reached the service, without a path. */
  baseAddress(c: Context<RequestEnv>): string;
}

/** Nothing from outside and nothing inline. */
const POLICY = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'self'",
  'frame-ancestors': "'none'",
};

function headers(policy: Page['policy']): Record<string, string> {
  const directives = Object.entries({ ...POLICY, ...policy });
  return {
    'Content-Security-Policy': directives.map(([directive, sources]) => `${directive} ${sources}`).join('; '),
    'Cross-Origin-Opener-Policy': 'same-origin',
    // Not `no-referrer`: with it a browser sends its forms with `Origin: null`.
    'Referrer-Policy': 'same-origin',
  };
}

/** The ways in, in the order in which they are shown. */
const WAYS = {
  docs: { path: '/docs', name: 'Docs', about: 'Every operation of the REST API, to read and to try.' },
  graphiql: { path: '/graphql', name: 'GraphiQL', about: 'The GraphQL API in your browser, with queries to run.' },
  developer: {
    path: '/developer',
    name: 'API keys',
    about: 'Create, watch, rotate and revoke the keys of an organization.',
  },
} satisfies Record<string, Way>;

/** Where the files of the pages are, beside the program. */
const FILES = new URL('../../src/pages/public/', import.meta.url);

const TYPES = {
  'style.css': 'text/css; charset=utf-8',
  'page.js': 'text/javascript; charset=utf-8',
  'icon.svg': 'image/svg+xml',
};

/** Makes the frame of the pages and the start page. */
export function createSite({ docs, graphiql, developer, demoKey, trustProxy }: SiteOptions): Site {
  const ways = [
    ...(docs ? [WAYS.docs] : []),
    ...(graphiql ? [WAYS.graphiql] : []),
    ...(developer ? [WAYS.developer] : []),
  ];
  const assets = createAssets(() =>
    Promise.all(
      Object.entries(TYPES).map(async ([name, type]) => ({
        name,
        type,
        content: await readFile(new URL(name, FILES)),
      })),
    ),
  );
  const site: Site = {
    routes: new Hono<RequestEnv>(),
    async respond(c, page, status = 200) {
      return c.html(layout(page, ways, `/assets/${await assets.version()}`), status, headers(page.policy));
    },
    baseAddress: (c) => baseAddress(c.req.url, c.req.raw.headers, trustProxy),
  };
  site.routes.get('/', (c) => site.respond(c, startPage(ways, site.baseAddress(c), demoKey)));
  site.routes.route('/assets', assets.routes);
  return site;
}
