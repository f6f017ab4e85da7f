import { readFile } from 'node:fs/promises';
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { csrf } from 'hono/csrf';
import { HTTPException } from 'hono/http-exception';
import type { Logger } from 'pino';
import { MAX_FORM_BYTES } from '../domain/core/limits.ts';
import { STATUS_OF_CODE, toServiceError, UNAVAILABLE_RETRY_SECONDS } from '../http/error-status.ts';
import type { RequestEnv } from '../http/request-env.ts';
import { createAssets } from '../pages/assets.ts';
import type { Site } from '../pages/site.ts';
import { createKeyPages } from './keys.ts';
import { createOrganizationPages } from './organizations.ts';
import type { Parts } from './parts.ts';
import { Refusal } from './refusal.ts';
import { createSignIn } from './sign-in.ts';
import { stylesheet } from './view/frame.ts';
import { messagePage } from './view/message.ts';
import type { Handler } from './visit.ts';

export interface DeveloperOptions extends Parts {
  readonly site: Site;
  readonly log: Logger;
}

const STYLE = new URL('../../src/pages/public/developer.css', import.meta.url);

/**
 * The developer page at `/developer` (specification, "Authentication"): operators and administrators see, make,
 * rotate and revoke API keys. Outside key and count; what it does is the domain's, as on the command line.
 */
export function createDeveloper(options: DeveloperOptions): Hono<RequestEnv> {
  const { log } = options;
  const assets = createAssets(async () => [
    { name: 'developer.css', type: 'text/css; charset=utf-8', content: await readFile(STYLE) },
  ]);
  const site: Parts['site'] = {
    baseAddress: options.site.baseAddress,
    respond: async (c, page, status) =>
      options.site.respond(c, { ...page, current: '/developer', files: stylesheet(await assets.version()) }, status),
  };
  const parts = { ...options, site };
  const developer = new Hono<RequestEnv>();
  developer.route('/assets', assets.routes);
  developer.use(csrf({ origin: (origin, c) => origin === site.baseAddress(c) }));
  developer.use(bodyLimit({ maxSize: MAX_FORM_BYTES, onError: tooLarge }));

  for (const [path, { GET, POST }] of Object.entries(routesOf(parts))) {
    const allow = [...(GET ? ['GET', 'HEAD'] : []), ...(POST ? ['POST'] : []), 'OPTIONS'].join(', ');
    if (GET) developer.get(path, GET);
    if (POST) developer.post(path, POST);
    developer.options(path, (c) => c.body(null, 204, { Allow: allow }));
    developer.all(path, (c) => {
      c.header('Allow', allow);
      return site.respond(c, messagePage('This cannot be done here', `This page takes ${allow}.`), 405);
    });
  }
  developer.all('*', (c) => site.respond(c, NOT_FOUND, 404));
  developer.onError((error, c) => explain(site, log, error, c));
  return developer;
}

type Methods = Partial<Record<'GET' | 'POST', Handler>>;

/** Every page, and what can be done there. */
function routesOf(parts: Parts): Record<string, Methods> {
  const signIn = createSignIn(parts);
  const organizations = createOrganizationPages(parts);
  const keys = createKeyPages(parts);
  return {
    '/': { GET: organizations.choose },
    '/sign-in': { GET: signIn.show, POST: signIn.signIn },
    '/sign-out': { POST: signIn.signOut },
    '/organizations/:organization': { GET: keys.list },
    '/organizations/:organization/history': { GET: organizations.history },
    '/organizations/:organization/new-key': { GET: keys.askNew, POST: keys.make },
    '/organizations/:organization/keys/:key': { GET: keys.show },
    '/organizations/:organization/keys/:key/rotate': { GET: keys.askRotation, POST: keys.rotate },
    '/organizations/:organization/keys/:key/revoke': { GET: keys.askRevocation, POST: keys.revoke },
  };
}

const NOT_FOUND = messagePage('There is nothing here', 'This page does not exist, or it is not for you.');

function tooLarge(): never {
  throw new Refusal(413, 'Too much', `A form of these pages has at most ${MAX_FORM_BYTES / 1024} KB.`);
}

/** What went wrong, as a page; never more than people may know. */
function explain(site: Parts['site'], log: Logger, error: unknown, c: Context<RequestEnv>): Promise<Response> {
  const requestId = c.get('requestId');
  if (error instanceof Refusal) return site.respond(c, messagePage(error.title, error.message), error.status);
  if (error instanceof HTTPException && error.status === 403) {
    const right = 'Nothing was changed. Open the page here and send its form from there.';
    return site.respond(c, messagePage('This form came from elsewhere', right), 403);
  }
  const { code, message, details } = toServiceError(error);
  if (code === 'not_found') return site.respond(c, NOT_FOUND, 404);
  if (code === 'unavailable') {
    log.warn({ requestId, err: error }, 'store out of reach');
    c.header('Retry-After', String(UNAVAILABLE_RETRY_SECONDS));
    return site.respond(c, messagePage('One moment, please', `${message}.`), 503);
  }
  if (code === 'internal_error') log.error({ requestId, err: error }, 'request failed');
  const title = details ? 'Something is wrong with what was sent' : 'This did not work';
  return site.respond(c, messagePage(title, `${message}.`), STATUS_OF_CODE[code]);
}
