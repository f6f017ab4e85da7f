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

/** A refusal that callers see as it is: `code` and `message` (and `details`) go out through either door. */
export class ServiceError extends Error {
  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly details?: readonly FieldError[],
  ) {
    super(message);
    this.name = 'ServiceError';
  }
}

/** `invalid_request`; names every wrong field. */
export function invalidRequest(...details: FieldError[]): ServiceError {
  const message = details.map(({ field, message }) => `${field}: ${message}`).join('; ');
  return new ServiceError('invalid_request', message, details);
}

/** `not_found` in the specification's shape: `Member not found`. Foreign and unknown records answer the same. */
export function notFound(record: string): ServiceError {
  return new ServiceError('not_found', `${record} not found`);
}
