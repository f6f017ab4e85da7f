import { randomUUID } from 'node:crypto';
import { containsKey } from '../../domain/admin/api-key-secret.ts';

/** The ids that are safe in headers and logs. */
const REQUEST_ID = /^[\w.:-]{1,128}$/;

/** Text as long as the tokens of password links and sign-in sessions (256 bits in base64url), or longer. */
const LONG_WORD = /[\w-]{43,}/g;

/**
 * Returns the id of a request: its `X-Request-Id` header, or a new id if the header is absent or unsafe. Ids are logged and
 * stored, so one that looks like an API key or a token of the developer pages is also replaced.
 */
export function requestIdOf(header: string | undefined): string {
  const isAccepted = header !== undefined && REQUEST_ID.test(header) && !containsKey(header) && !containsToken(header);
  return isAccepted ? header : randomUUID();
}

/** Tokens have upper and lower case letters, unlike trace ids and hashes in hexadecimal. */
function containsToken(text: string): boolean {
  return (text.match(LONG_WORD) ?? []).some((word) => /[a-z]/.test(word) && /[A-Z]/.test(word));
}
