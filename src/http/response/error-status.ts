import { type ErrorCode, internalError, ServiceError, storeUnavailable } from '../../domain/core/errors.ts';
import { isStoreUnavailable, ReadTimeoutError } from '../../store/errors.ts';

/** The HTTP status of each error code, in both APIs. */
export const STATUS_OF_CODE = {
  invalid_request: 400,
  invalid_json: 400,
  invalid_cursor: 400,
  org_limit_reached: 400,
  missing_api_key: 401,
  invalid_api_key: 401,
  key_revoked: 401,
  key_expired: 401,
  missing_scope: 403,
  not_found: 404,
  method_not_allowed: 405,
  member_exists: 409,
  email_in_use: 409,
  form_closed: 409,
  precondition_failed: 412,
  payload_too_large: 413,
  unsupported_media_type: 415,
  idempotency_conflict: 409,
  idempotency_in_flight: 409,
  rate_limited: 429,
  query_too_complex: 400,
  persisted_query_not_found: 404,
  persisted_query_not_supported: 400,
  persisted_query_only: 400,
  internal_error: 500,
  unavailable: 503,
} as const satisfies Record<ErrorCode, number>;

/** The default `Retry-After` of responses with status 503, in seconds. */
export const UNAVAILABLE_RETRY_SECONDS = 1;

/** Whether PostgreSQL canceled a read because it took too long; usually the request selects too much. */
export function isReadTimeout(error: unknown): boolean {
  return error instanceof ReadTimeoutError;
}

/**
 * Converts any error to one that callers may see. An error that is not a `ServiceError` becomes `unavailable` (a read took
 * too long, or the store is unavailable) or `internal_error`, without its cause.
 */
export function toServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  if (isReadTimeout(error)) {
    return new ServiceError('unavailable', 'The read took too long; request fewer records or fields, or try again');
  }
  return isStoreUnavailable(error) ? storeUnavailable() : internalError();
}
