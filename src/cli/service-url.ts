import { invalidRequest } from '../domain/core/errors.ts';

/**
 * Parses the address of the service in the option `--url`.
 *
 * @returns the address without a slash at the end, and without user name, query and fragment.
 * @throws {ServiceError} `invalid_request`.
 */
export function parseServiceUrl(url: string): string {
  // Without `http://`, the host is parsed as a protocol.
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) {
    throw invalidRequest({ field: '--url', message: 'must be the URL of the service, as in http://127.0.0.1:4000' });
  }
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname.replace(/\/+$/, '')}`;
}
