import { Hono } from 'hono';
import type { App } from '../app.ts';
import { ServiceError } from '../domain/core/errors.ts';
import type { RequestEnv } from '../http/request/request-env.ts';
import { requestIdOf } from '../http/request/request-id.ts';
import { UNAVAILABLE_RETRY_SECONDS } from '../http/response/error-status.ts';
import { rateLimitHeaders } from '../http/response/response.ts';
import { prefersPage, RELOAD_SECONDS, STARTING } from '../pages/middleware.ts';
import { createSite } from '../pages/site.ts';

/**
 * Creates the app that responds until the store is open. Its health checks report that it is live but not ready. Other
 * requests get `unavailable` in the format of their API; browsers get a page that reloads itself.
 *
 * @param rateLimit the value of `X-RateLimit-Limit`, in points per minute; nothing is charged.
 */
export function createStartingApp(rateLimit: number): App {
  const { code, message } = new ServiceError('unavailable', 'The service is starting and cannot reach its records yet');
  const site = createSite({ docs: false, graphiql: false, developer: false, trustProxy: 0 });
  const retry = { 'Cache-Control': 'no-store', 'Retry-After': String(UNAVAILABLE_RETRY_SECONDS) };
  const limits = rateLimitHeaders({ limit: rateLimit, remaining: rateLimit, resetInMs: 60_000 });
  const errorHeaders = { ...retry, ...limits };
  const app = new Hono<RequestEnv>();
  app.use(async (c, next) => {
    await next();
    c.res.headers.set('X-Request-Id', requestIdOf(c.req.header('x-request-id')));
  });
  app.get('/livez', () => Response.json({ status: 'ok' }));
  app.on('GET', ['/readyz', '/healthz'], () =>
    Response.json({ status: 'unavailable', store: 'unavailable', draining: false }, { status: 503 }),
  );
  app.route('/', site.routes);
  app.all('*', async (c) => {
    if (prefersPage(c)) {
      const page = await site.respond(c, STARTING, 503);
      const headers = { ...retry, Refresh: String(RELOAD_SECONDS), Vary: 'Accept' };
      for (const [name, value] of Object.entries(headers)) page.headers.set(name, value);
      return page;
    }
    const body =
      c.req.path === '/graphql' ? { errors: [{ message, extensions: { code } }] } : { error: { code, message } };
    return Response.json(body, { status: 503, headers: errorHeaders });
  });
  return { fetch: (request, connection) => app.fetch(request, connection), rateLimitHeaders: async () => limits };
}
