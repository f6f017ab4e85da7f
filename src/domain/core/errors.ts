import { MAX_LISTED_ERRORS, MAX_ORGANIZATIONS_PER_PERSON } from '../values/limits.ts';
import type { Scope } from './scopes.ts';

/** The error codes of this service (specification, "Errors"; decisions for codes that are not specified). */
export const ERROR_CODES = [
  'invalid_request',
  'invalid_json',
  'invalid_cursor',
  'org_limit_reached',
  'missing_api_key',
  'invalid_api_key',
  'key_revoked',
  'key_expired',
  'missing_scope',
  'not_found',
  'method_not_allowed',
  'member_exists',
  'email_in_use',
  'form_closed',
  'precondition_failed',
  'payload_too_large',
  'unsupported_media_type',
  'idempotency_conflict',
  'idempotency_in_flight',
  'rate_limited',
  'query_too_complex',
  'persisted_query_not_found',
  'persisted_query_not_supported',
  'persisted_query_only',
  'internal_error',
  'unavailable',
] as const;

/** One of {@link ERROR_CODES}. */
export type ErrorCode = (typeof ERROR_CODES)[number];

/** An error of a write that depends on the records of the organization. */
interface RecordError {
  readonly message: string;
  /** When it occurs, as part of a sentence. */
  readonly when: string;
  /** The input fields that it can be about; the first one in the input is reported. */
  readonly fields: readonly string[];
}

/** The errors that a write with the required scope and a valid input can have. They are recorded in the audit log. */
export const RECORD_ERRORS = {
  not_found: {
    message: 'Record not found',
    when: 'the organization has no such record; the response for records of other organizations is the same',
    fields: ['id', 'form_id'],
  },
  member_exists: {
    message: 'A member with this email address already exists',
    when: 'a member of this organization already has the email address',
    fields: ['email_address'],
  },
  email_in_use: {
    message: 'This email address belongs to somebody else',
    when: 'the email address belongs to somebody else',
    fields: ['email_address'],
  },
  org_limit_reached: {
    message: `This person already belongs to ${MAX_ORGANIZATIONS_PER_PERSON} organizations`,
    when: `the person already belongs to ${MAX_ORGANIZATIONS_PER_PERSON} organizations`,
    fields: ['email_address'],
  },
  form_closed: {
    message: 'This form does not accept responses',
    when: 'the form is not published, or does not accept responses',
    fields: ['form_id'],
  },
  precondition_failed: {
    message: 'The record was changed since it was read; read it again, and repeat the change',
    when: 'the record was changed since the state that `If-Match` (GraphQL: `expectedUpdatedAt`) names',
    fields: ['expected_updated_at'],
  },
} as const satisfies Partial<Record<ErrorCode, RecordError>>;

/** The code of one of {@link RECORD_ERRORS}. */
export type RecordErrorCode = keyof typeof RECORD_ERRORS;

/** Whether an error is one of {@link RECORD_ERRORS}. */
export function isRecordError(code: ErrorCode): code is RecordErrorCode {
  return Object.hasOwn(RECORD_ERRORS, code);
}

/** An error in one field of an input: the field's name as in the request, and what the value must be. */
export interface FieldError {
  readonly field: string;
  readonly message: string;
}

/** An error that is returned to callers: `code`, `message` and `details` are the same in both APIs. */
export class ServiceError extends Error {
  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly details?: readonly FieldError[],
    /** The number of seconds to wait before retrying, if it is known. */
    readonly retryAfterSeconds?: number,
  ) {
    super(message);
    this.name = 'ServiceError';
  }
}

/** Returns an `invalid_request` error that lists the invalid fields, up to `MAX_LISTED_ERRORS`. */
export function invalidRequest(...details: FieldError[]): ServiceError {
  const listed = limitErrors(details);
  const message = listed.map(({ field, message }) => `${field}: ${message}`).join('; ');
  return new ServiceError('invalid_request', message, listed);
}

/**
 * Limits a list of errors to `MAX_LISTED_ERRORS`, so that the input cannot make the response large. If there are more, the
 * last entry says how many are omitted.
 */
export function limitErrors(details: readonly FieldError[]): readonly FieldError[] {
  if (details.length <= MAX_LISTED_ERRORS) return details;
  const listed = details.slice(0, MAX_LISTED_ERRORS - 1);
  return [...listed, { field: 'body', message: `has ${details.length - listed.length} more errors` }];
}

/**
 * Returns a `not_found` error: `Member not found`. It is the same for unknown records and for those of other organizations.
 *
 * @param problem what is wrong with the id, if no record can have it.
 */
export function notFound(record: string, problem?: string): ServiceError {
  return new ServiceError('not_found', `${record} not found${problem === undefined ? '' : `; ${problem}`}`);
}

/** Returns the error for a cursor that does not have the format of one. */
export function notCursor(): ServiceError {
  const message =
    'This is not a cursor; send the next_cursor (GraphQL: endCursor) of the previous page unchanged, or no cursor for the first page';
  return new ServiceError('invalid_cursor', message);
}

/** Returns the error for a cursor that is not valid for this list. */
export function invalidCursor(): ServiceError {
  const message =
    'This cursor belongs to another list, search, filter or order; repeat all parameters of the request that returned it, or send no cursor to begin again';
  return new ServiceError('invalid_cursor', message);
}

/** Returns one of {@link RECORD_ERRORS}; {@link notFound} returns `not_found` with the type of the record. */
export function recordError(code: RecordErrorCode): ServiceError {
  return new ServiceError(code, RECORD_ERRORS[code].message);
}

/** Returns `form_closed`. @param reason why the form takes no responses: `it is not published`. */
export function formClosed(reason: string): ServiceError {
  const which = 'open forms have is_published and accepting_response true';
  return new ServiceError('form_closed', `${RECORD_ERRORS.form_closed.message}: ${reason}; ${which}`);
}

/** Returns `member_exists`, which names the member. */
export function memberExists(id: string): ServiceError {
  return new ServiceError('member_exists', `${RECORD_ERRORS.member_exists.message}: it is ${id} in this organization`);
}

/** `missing_scope`. Each API replaces the message with one that names the operation or field as the API does. */
export class MissingScopeError extends ServiceError {
  /** @param field the input field that needs it; undefined if the whole operation does. */
  constructor(
    readonly scopes: readonly Scope[],
    readonly field?: string,
  ) {
    super('missing_scope', missingScope(scopes));
  }
}

/** Returns the message of a `missing_scope` error. @param what needs the scope, or one of the scopes. */
export function missingScope(scopes: readonly Scope[], what = 'This operation'): string {
  if (scopes.length === 1) return `${what} needs the scope ${scopes[0]}, which this API key lacks`;
  return `${what} needs one of the scopes ${scopes.join(', ')}, all of which this API key lacks`;
}

/** Returns the error for a database that is unreachable or overloaded. */
export function storeUnavailable(): ServiceError {
  return new ServiceError('unavailable', 'The service is temporarily unavailable; try again');
}

/** Returns the error for unexpected failures. It does not disclose the cause. */
export function internalError(): ServiceError {
  return new ServiceError('internal_error', 'Something went wrong on our side');
}

const INACTIVE_KEY = { key_revoked: 'This API key was revoked', key_expired: 'This API key has expired' };

/** The error for a key that was revoked or has expired. */
export class InactiveKeyError extends ServiceError {
  /** @param keyId undefined if only the message is needed. */
  constructor(
    code: keyof typeof INACTIVE_KEY,
    readonly keyId?: string,
  ) {
    super(code, INACTIVE_KEY[code]);
  }
}
