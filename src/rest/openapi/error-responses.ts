import { z } from 'zod';
import type { ZodOpenApiResponseObject } from 'zod-openapi';
import { missingKey } from '../../auth/authentication.ts';
import { requestLimitMessage } from '../../auth/budgets.ts';
import { invalidKey } from '../../auth/key-lookup.ts';
import {
  type ErrorCode,
  InactiveKeyError,
  internalError,
  invalidCursor,
  memberExists,
  missingScope,
  notFound,
  RECORD_ERRORS,
  storeUnavailable,
} from '../../domain/core/errors.ts';
import { idempotencyConflict, idempotencyInFlight } from '../../domain/core/idempotency.ts';
import type { Scope } from '../../domain/core/scopes.ts';
import { MAX_BODY_BYTES, MAX_BODY_CHUNKS } from '../../domain/values/limits.ts';
import { EMAIL_ERROR } from '../../domain/values/text.ts';
import { bodyTooLarge, notJson, unsupportedType } from '../../http/request/json-body.ts';
import { STATUS_OF_CODE } from '../../http/response/error-status.ts';
import { RECORD_SHAPES } from '../record-shapes.ts';
import { COMMON_HEADERS, headers } from './headers.ts';

/** The error codes that a documented operation can return, without those of GraphQL and of unsupported methods. */
export type OperationError = Exclude<
  ErrorCode,
  'query_too_complex' | `persisted_query_${string}` | 'method_not_allowed'
>;

const EXAMPLE_MEMBER = RECORD_SHAPES.members.example.id;

/** When each error occurs, with an example of its message; those without one have a message for each operation. */
const ERRORS: Record<OperationError, { readonly when: string; readonly message?: string }> = {
  ...RECORD_ERRORS,
  member_exists: { ...RECORD_ERRORS.member_exists, message: memberExists(EXAMPLE_MEMBER).message },
  not_found: { ...RECORD_ERRORS.not_found, message: notFound('Member').message },
  invalid_request: {
    when: 'a field or parameter is missing, invalid or unknown; `details` lists them',
  },
  invalid_json: {
    when: 'the body is not JSON in UTF-8, or is incomplete',
    message: notJson('{"a":}').message,
  },
  invalid_cursor: {
    when: 'the cursor belongs to another list, search, filter, order or organization',
    message: invalidCursor().message,
  },
  missing_api_key: {
    when: 'the header `X-Api-Key` is missing or repeated',
    message: missingKey().message,
  },
  invalid_api_key: { when: 'the key does not exist', message: invalidKey().message },
  key_revoked: { when: 'the key was revoked', message: new InactiveKeyError('key_revoked').message },
  key_expired: { when: 'the key has expired', message: new InactiveKeyError('key_expired').message },
  missing_scope: {
    when: 'the key lacks a scope; the message names it, and the operation, parameter or field that needs it',
  },
  idempotency_conflict: {
    when: 'the `Idempotency-Key` was used for another request, or the stored response would have more than 128 KiB',
    message: idempotencyConflict().message,
  },
  idempotency_in_flight: {
    when: 'another request with the `Idempotency-Key` is still running',
    message: idempotencyInFlight().message,
  },
  payload_too_large: {
    when: `the body has more than ${MAX_BODY_BYTES / 1024} KB, or more than ${MAX_BODY_CHUNKS.toLocaleString('en-US')} chunks`,
    message: bodyTooLarge().message,
  },
  unsupported_media_type: {
    when: 'the `Content-Type` is not `application/json` in UTF-8, or the body has a `Content-Encoding`',
    message: unsupportedType().message,
  },
  rate_limited: { when: 'the rate limit is exceeded', message: requestLimitMessage(120, 42) },
  internal_error: { when: 'an unexpected error of the service', message: internalError().message },
  unavailable: {
    when: 'the service is temporarily unavailable',
    message: storeUnavailable().message,
  },
};

/** The names of response components that several operations share, by their error codes. */
const COMPONENTS: Record<string, string> = {
  invalid_request: 'InvalidParameters',
  'invalid_request invalid_cursor': 'InvalidQuery',
  'invalid_request invalid_json': 'InvalidBody',
  'missing_api_key invalid_api_key key_revoked key_expired': 'Unauthorized',
  not_found: 'NotFound',
  precondition_failed: 'PreconditionFailed',
  'idempotency_conflict idempotency_in_flight': 'Conflict',
  payload_too_large: 'PayloadTooLarge',
  unsupported_media_type: 'UnsupportedMediaType',
  rate_limited: 'RateLimited',
  internal_error: 'InternalError',
  unavailable: 'Unavailable',
};

/** The error codes of each error schema, by name. */
const SCHEMAS: Record<string, readonly OperationError[]> = {
  InvalidJsonError: ['invalid_json'],
  InvalidCursorError: ['invalid_cursor'],
  OrganizationLimitError: ['org_limit_reached'],
  UnauthorizedError: ['missing_api_key', 'invalid_api_key', 'key_revoked', 'key_expired'],
  ForbiddenError: ['missing_scope'],
  NotFoundError: ['not_found'],
  MemberExistsError: ['member_exists'],
  EmailInUseError: ['email_in_use'],
  FormClosedError: ['form_closed'],
  PreconditionFailedError: ['precondition_failed'],
  IdempotencyError: ['idempotency_conflict', 'idempotency_in_flight'],
  PayloadTooLargeError: ['payload_too_large'],
  UnsupportedMediaTypeError: ['unsupported_media_type'],
  RateLimitError: ['rate_limited'],
  ServiceFaultError: ['internal_error'],
  UnavailableError: ['unavailable'],
};

const message = z
  .string()
  .meta({ description: 'A human-readable explanation of the error. It may change; check `code` instead.' });

const invalidRequest = z
  .object({
    error: z.object({
      code: z.literal('invalid_request'),
      message,
      details: z
        .array(
          z.object({
            field: z.string().meta({ description: 'The name of the field or parameter, as in the request.' }),
            message: z.string().meta({ description: 'What the value must be.' }),
          }),
        )
        .meta({
          description:
            'One entry for each invalid field; some problems are only found when others are solved. If there are more than 50, the last entry says how many are omitted.',
        }),
    }),
  })
  .meta({ id: 'InvalidRequestError', description: 'An error with a list of invalid fields.' });

const schemas: readonly { readonly codes: readonly OperationError[]; readonly schema: z.ZodType }[] = [
  { codes: ['invalid_request'], schema: invalidRequest },
  ...Object.entries(SCHEMAS).map(([id, codes]) => ({
    codes,
    schema: z.object({ error: z.object({ code: z.enum(codes), message }) }).meta({
      id,
      description: `${codes.length > 1 ? 'The errors' : 'The error'} ${codes.map((code) => `\`${code}\``).join(', ')}. The responses describe when each error occurs.`,
    }),
  })),
];

/** Returns the error responses of an operation by status. @param scopes of which the operation requires one. */
export function errorResponses(
  codes: readonly OperationError[],
  scopes: readonly Scope[],
): Record<`${4 | 5}${string}`, ZodOpenApiResponseObject> {
  const byStatus = new Map<number, OperationError[]>();
  for (const code of codes) byStatus.set(STATUS_OF_CODE[code], [...(byStatus.get(STATUS_OF_CODE[code]) ?? []), code]);
  return Object.fromEntries([...byStatus].map(([status, codes]) => [status, responseObject(status, codes, scopes)]));
}

const responses = new Map<string, ZodOpenApiResponseObject>();

/** Returns the same object for the same codes (and scopes, for `missing_scope`), so that it becomes one component. */
function responseObject(
  status: number,
  codes: readonly OperationError[],
  scopes: readonly Scope[],
): ZodOpenApiResponseObject {
  const isForbidden = codes.includes('missing_scope');
  const key = codes.join(' ');
  const id = isForbidden ? `Forbidden_${scopes.length === 1 ? scopes[0]?.replace('.', '_') : 'any'}` : COMPONENTS[key];
  const cached = responses.get(id ?? key);
  if (cached) return cached;
  const response = {
    ...(id && { id }),
    description: markdownList(codes.map((code) => `\`${code}\`: ${ERRORS[code].when}`)),
    headers: headersOf(status),
    content: { 'application/json': { schema: schemaOf(codes), ...examplesOf(codes, scopes) } },
  };
  responses.set(id ?? key, response);
  return response;
}

function markdownList(lines: readonly string[]): string {
  return lines.length > 1 ? lines.map((line) => `- ${line}`).join('\n') : lines.join();
}

function headersOf(status: number) {
  const hasRetryAfter = status === 429 || status === 503;
  // Errors with these statuses are stored with an Idempotency-Key.
  const isReplayable = status === 400 || status === 404 || status === 409;
  return headers(
    ...COMMON_HEADERS,
    ...(status === 401 ? (['WWW-Authenticate'] as const) : []),
    ...(hasRetryAfter ? (['Retry-After'] as const) : []),
    ...(isReplayable ? (['Idempotency-Replayed'] as const) : []),
  );
}

/** Returns a named schema, or the union of several. */
function schemaOf(codes: readonly OperationError[]): z.ZodType {
  const [schema, ...others] = schemas
    .filter((entry) => entry.codes.some((code) => codes.includes(code)))
    .map((entry) => entry.schema);
  return others.length === 0 ? (schema as z.ZodType) : z.union([schema as z.ZodType, ...others]);
}

function examplesOf(codes: readonly OperationError[], scopes: readonly Scope[]) {
  const bodies = codes.map((code) => ({ error: exampleOf(code, codes, scopes) }));
  if (codes.length === 1) return { example: bodies[0] };
  return { examples: Object.fromEntries(codes.map((code, index) => [code, { value: bodies[index] }])) };
}

function exampleOf(code: OperationError, codes: readonly OperationError[], scopes: readonly Scope[]): object {
  if (code === 'missing_scope') return { code, message: missingScope(scopes) };
  if (code !== 'invalid_request') return { code, message: ERRORS[code].message };
  const [field, message] = invalidFieldOf(codes);
  return { code, message: `${field}: ${message}`, details: [{ field, message }] };
}

/** Returns an example of an invalid field: in a query, in a body, or in a request without either. */
function invalidFieldOf(codes: readonly OperationError[]): [field: string, message: string] {
  if (codes.includes('invalid_cursor')) return ['limit', 'must be an integer from 1, for example 25'];
  if (codes.includes('invalid_json')) return ['email_address', EMAIL_ERROR];
  return ['page', 'unknown parameter; GET /v1/organization has no query parameters'];
}
