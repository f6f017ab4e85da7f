import type { App } from '../app.ts';
import { ServiceError } from '../domain/core/errors.ts';
import { UNAVAILABLE_RETRY_SECONDS } from '../http/error-status.ts';

/**
 * The app while the store is not reachable yet: live but not ready, with a retriable error for every request in the format
 * of its API.
 *
 * @param rateLimit the limit in response headers; nothing is charged.
 */
export function createStartingApp(rateLimit: number): App {
  const { code, message } = new ServiceError('unavailable', 'The service is starting and cannot reach its records yet');
  const headers = {
    'Cache-Control': 'no-store',
    'Retry-After': String(UNAVAILABLE_RETRY_SECONDS),
    'X-RateLimit-Limit': String(rateLimit),
    'X-RateLimit-Remaining': String(rateLimit),
  };
  return {
    fetch(request) {
      const { pathname } = new URL(request.url);
      if (pathname === '/livez') return Response.json({ status: 'ok' });
      if (pathname === '/readyz' || pathname === '/healthz') {
        return Response.json({ status: 'unavailable', store: 'unavailable', draining: false }, { status: 503 });
      }
      const body =
        pathname === '/graphql' ? { errors: [{ message, extensions: { code } }] } : { error: { code, message } };
      return Response.json(body, { status: 503, headers });
    },
  };
}
