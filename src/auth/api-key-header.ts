import type { Context } from 'hono';
import { ServiceError } from '../domain/core/errors.ts';

/** Text that is often sent together with the key by mistake. */
const MISTAKES = [
  { pattern: /^["'\u2018\u201c]|["'\u2019\u201d]$/, name: 'quotation marks' },
  { pattern: /^Bearer\s/i, name: '"Bearer"' },
  { pattern: /^\S+\s+cms_|^[<{[(].*[>}\])]$/s, name: 'other text, such as a word before it or brackets around it' },
];

/**
 * The API key of a request, from the header `X-Api-Key`. A repeated header is joined by commas, which keys do not contain.
 *
 * @throws {ServiceError} `missing_api_key`, or `invalid_api_key` for a known mistake, such as quotation marks.
 */
export function apiKeyOf(c: Context): string {
  const key = c.req.header('x-api-key');
  if (!key || key.includes(',')) {
    if (!key && c.req.header('access-control-request-method'))
      throw missingKey(', from a server: pages in browsers cannot');
    throw missingKey(!key && c.req.header('authorization') ? ', not in Authorization' : '');
  }
  const mistake = MISTAKES.find(({ pattern }) => pattern.test(key));
  if (mistake) throw new ServiceError('invalid_api_key', `Send the API key alone, without ${mistake.name}`);
  return key;
}

/** The error of a request without a key. @param elsewhere where the key was sent instead. */
export function missingKey(elsewhere = ''): ServiceError {
  return new ServiceError('missing_api_key', `Send your API key, once, in the header X-Api-Key${elsewhere}`);
}
