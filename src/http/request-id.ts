import { randomUUID } from 'node:crypto';
import { containsKey } from '../domain/admin/api-key-secret.ts';

/** Safe in headers and logs. */
const REQUEST_ID = /^[\w.:-]{1,128}$/;

/** At least as long as the tokens of sign-in links and sessions, 256 random bits in base64url. */
const LONG_WORD = /[\w-]{43,}/g;

/**
 * The id of a request: the caller's `X-Request-Id`, if it is safe in headers and logs; otherwise a new one. Ids are logged
 * and stored, so that those which look like an API key or a token of the developer pages are replaced too.
 */
export function requestIdOf(header: string | undefined): string {
  const isAccepted = header !== undefined && REQUEST_ID.test(header) && !containsKey(header) && !containsToken(header);
  return isAccepted ? header : randomUUID();
}

/** Unlike traces and hashes in hexadecimal, a token has upper and lower case. */
function containsToken(text: string): boolean {
  return (text.match(LONG_WORD) ?? []).some((word) => /[a-z]/.test(word) && /[A-Z]/.test(word));
}
