import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { csrf } from 'hono/csrf';
import { HTTPException } from 'hono/http-exception';
import { MAX_HTML_FORM_BYTES } from '../domain/values/limits.ts';
import type { RequestEnv } from '../http/request/request-env.ts';
import type { ErrorLog } from '../http/response/error-log.ts';
import { STATUS_OF_CODE, toServiceError, UNAVAILABLE_RETRY_SECONDS } from '../http/response/error-status.ts';
import { allowHeader } from '../http/response/other-methods.ts';
import { createPublicAssets } from '../pages/assets.ts';
import type { Site } from '../pages/site.ts';
import { createAdministratorPages } from './accounts/administrators.ts';
import { createPasswordPages } from './accounts/passwords.ts';
import { createSignIn } from './accounts/sign-in.ts';
import { PageError } from './form-data.ts';
import { createHistoryPages } from './history.ts';
import { createKeyChangePages } from './keys/change.ts';
import { createKeyPages } from './keys/key.ts';
import { createKeyListPages } from './keys/keys.ts';
import { createNewKeyPages } from './keys/new-key.ts';
import { createOrganizationPages } from './organizations.ts';
import { messagePage, pageFiles, unreachablePage } from './page.ts';
import { HOME } from './paths.ts';
import type { DeveloperContext } from './visit.ts';
import { createWebhookChangePages } from './webhooks/change.ts';
import { createWebhookPages } from './webhooks/webhooks.ts';

export interface DeveloperOptions extends Omit<DeveloperContext, 'sessions'> {
  readonly site: Site;
  /** The setting `OPERATOR_PASSWORD`. If undefined, the operator has the password that was set with a link. */
  readonly operatorPassword: string | undefined;
  readonly logError: ErrorLog;
  /** When the database became unreachable; undefined while it can be reached. */
  readonly unavailableSince?: () => Date | undefined;
}

/**
 * The developer pages at `/developer` (specification, "Authentication"), where operators and administrators manage API
 * keys by the same functions as on the command line. They need no API key; sign-ins and changes are limited
 * separately from API requests.
 */
export function createDeveloper(options: DeveloperOptions): Hono<RequestEnv> {
  const assets = createPublicAssets('developer', 'developer.js');
  const site: DeveloperContext['site'] = {
    navigation: options.site.navigation,
    baseAddress: options.site.baseAddress,
    respond: async (c, page, status) => {
      const files = pageFiles(await assets.version());
      return options.site.respond(c, { current: HOME, ...page, files }, status);
    },
  };
  const { store, operatorPassword } = options;
  const context = { ...options, site, sessions: { prisma: store.prisma, operatorPassword } };
  const developer = new Hono<RequestEnv>();
  developer.route('/assets', assets.routes);
  developer.use(csrf({ origin: (origin, c) => origin === site.baseAddress(c) }));
  developer.use(bodyLimit({ maxSize: MAX_HTML_FORM_BYTES, onError: tooLarge }));
  developer.post('*', async (_, next) => {
    await store.assertSupported();
    await next();
  });

  for (const [path, handlers] of PAGES.flatMap((create) => Object.entries(create(context)))) {
    const allow = allowHeader(Object.keys(handlers));
    for (const [method, handler] of Object.entries(handlers)) developer.on(method, path, handler);
    developer.options(path, (c) => c.body(null, 204, { Allow: allow }));
    developer.all(path, (c) => {
      c.header('Allow', allow);
      return site.respond(c, messagePage('Method not allowed', `This page allows ${allow}.`), 405);
    });
  }
  developer.all('*', (c) => site.respond(c, NOT_FOUND, 404));
  developer.onError((error, c) => errorPage(options, site, error, c));
  return developer;
}

const PAGES = [
  createSignIn,
  createOrganizationPages,
  createHistoryPages,
  createKeyListPages,
  createKeyPages,
  createNewKeyPages,
  createKeyChangePages,
  createWebhookPages,
  createWebhookChangePages,
  createAdministratorPages,
  createPasswordPages,
];

const NOT_FOUND = messagePage('Not found', 'This page does not exist, or you do not have access to it.');

function tooLarge(): never {
  throw new PageError(413, 'Form too large', `A form of these pages has at most ${MAX_HTML_FORM_BYTES / 1024} KB.`);
}

/** The page of an error, without internal details. */
function errorPage(
  { logError, unavailableSince }: DeveloperOptions,
  site: DeveloperContext['site'],
  error: unknown,
  c: Context<RequestEnv>,
): Promise<Response> {
  if (error instanceof PageError) return site.respond(c, messagePage(error.title, error.message), error.status);
  if (error instanceof HTTPException && error.status === 403) {
    const advice = 'Nothing was changed. Open the page on this site and submit its form.';
    return site.respond(c, messagePage('This form was sent from another site', advice), 403);
  }
  // Elsewhere, a connection error means that the store is unavailable.
  if (c.req.raw.signal.aborted && (error as NodeJS.ErrnoException).code === 'ECONNRESET') {
    return site.respond(c, messagePage('Invalid form', 'The form ended before it was complete.'), 400);
  }
  const { code, message, details } = toServiceError(error);
  if (code === 'not_found') return site.respond(c, NOT_FOUND, 404);
  logError(error, c.get('requestId'));
  if (code === 'unavailable') {
    c.header('Retry-After', String(UNAVAILABLE_RETRY_SECONDS));
    const since = unavailableSince?.();
    if (since) return site.respond(c, unreachablePage(since), 503);
    return site.respond(c, messagePage('Temporarily unavailable', `${message}.`), 503);
  }
  const title = details ? 'The form is invalid' : 'The request failed';
  return site.respond(c, messagePage(title, `${message}.`), STATUS_OF_CODE[code]);
}
