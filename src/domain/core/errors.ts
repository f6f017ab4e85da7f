import { MAX_ECHOED_CHARACTERS, MAX_LISTED_ERRORS } from './limits.ts';

/** Every code that an error of this service can carry (specification, "Errors"; decisions on what it leaves open). */
export type ErrorCode =
  | 'invalid_request'
  | 'invalid_json'
  | 'invalid_cursor'
  | 'org_limit_reached'
  | 'missing_api_key'
  | 'invalid_api_key'
  | 'key_revoked'
  | 'key_expired'
  | 'missing_scope'
  | 'not_found'
  | 'method_not_allowed'
  | 'member_exists'
  | 'email_in_use'
  | 'form_closed'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'idempotency_conflict'
  | 'idempotency_in_flight'
  | 'rate_limited'
  | 'query_too_complex'
  | 'persisted_query_not_found'
  | 'persisted_query_not_supported'
  | 'persisted_query_only'
  | 'internal_error'
  | 'unavailable';

/** One thing that is wrong with an input: the field by the name its sender used, and what would be right. */
export interface FieldError {
  readonly field: string;
  readonly message: string;
}

/** A refusal that callers see as it is: `code` and `message` (and `details`) are the same in both APIs. */
export class ServiceError extends Error {
  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly details?: readonly FieldError[],
    /** After how many seconds to try again, where that is known. */
    readonly retryAfterSeconds?: number,
  ) {
    super(message);
    this.name = 'ServiceError';
  }
}

/** `invalid_request`; names every wrong field, the first of them where they are many. */
export function invalidRequest(...details: FieldError[]): ServiceError {
  const listed = firstErrors(details);
  const message = listed.map(({ field, message }) => `${field}: ${message}`).join('; ');
  return new ServiceError('invalid_request', message, listed);
}

/**
 * As many errors as are listed; of more, the last one says how many are left out: what somebody sends must not decide
 * how much they get back.
 */
export function firstErrors(details: readonly FieldError[]): readonly FieldError[] {
  if (details.length <= MAX_LISTED_ERRORS) return details;
  const listed = details.slice(0, MAX_LISTED_ERRORS - 1);
  return [...listed, { field: 'body', message: `has ${details.length - listed.length} more errors` }];
}

/** A name or value that somebody sent, or a text that quotes it, as much of it as is shown. */
export function shortened(sent: string, maxCharacters: number = MAX_ECHOED_CHARACTERS): string {
  if (sent.length <= maxCharacters) return sent;
  // A character of two code units is left out rather than cut in two.
  return `${sent.slice(0, maxCharacters - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** The same in quotes, with what is not printable escaped as in JSON. */
export function quoted(sent: string): string {
  return JSON.stringify(shortened(sent));
}

/**
 * `not_found` in the specification's shape: `Member not found`. Foreign and unknown records answer the same.
 *
 * @param otherId what was sent, if it is an id of another kind of record.
 */
export function notFound(record: string, otherId?: string): ServiceError {
  const wrongKind = otherId === undefined ? '' : `; ${notAnId(otherId, record)}`;
  return new ServiceError('not_found', `${record} not found${wrongKind}`);
}

/** Says that an id is of another kind of record: `tag_… is not a member id`. */
export function notAnId(id: string, record: string): string {
  return `${id} is not a ${record.toLowerCase()} id`;
}
