import { z } from 'zod';
import type { ZodOpenApiResponseObject } from 'zod-openapi';
import type { ErrorCode } from '../../domain/core/errors.ts';
import { missingScope } from '../../domain/core/operation.ts';
import type { Scope } from '../../domain/core/scopes.ts';
import { STATUS_OF_CODE } from '../../http/error-status.ts';
import { ALWAYS, headers } from './headers.ts';

/** The codes that a described operation can answer with: not those of GraphQL, nor of methods that lead nowhere. */
export type OperationError = Exclude<
  ErrorCode,
  'query_too_complex' | `persisted_query_${string}` | 'method_not_allowed'
>;

/** When each error occurs, and a message that it has. */
const ERRORS: Record<OperationError, { readonly when: string; readonly message?: string }> = {
  invalid_request: {
    when: 'something that was sent is missing, wrong or unknown; `details` names each field',
  },
  invalid_json: {
    when: 'the body is not JSON in UTF-8',
    message: 'The body is not JSON: wrong at line 1, column 6',
  },
  invalid_cursor: {
    when: 'the cursor was not given by this list, with this search, to this organization',
    message: 'This cursor does not belong to this list and search; start without one',
  },
  org_limit_reached: {
    when: 'the person belongs to three organizations already',
    message: 'This person belongs to 3 organizations already',
  },
  missing_api_key: {
    when: 'there is no `X-Api-Key`, or more than one',
    message: 'Send your API key, once, in the header X-Api-Key',
  },
  invalid_api_key: { when: 'the key is not on file', message: 'This API key is not known' },
  key_revoked: { when: 'the key was revoked', message: 'This API key was revoked' },
  key_expired: { when: 'the expiry date of the key has passed', message: 'This API key has expired' },
  missing_scope: { when: 'the key lacks the scope of the operation; the message names it' },
  not_found: {
    when: 'the organization has no such record; one of another organization answers the same',
    message: 'Member not found',
  },
  member_exists: {
    when: 'a member of this organization has the email address',
    message: 'A member with this email address exists already',
  },
  email_in_use: {
    when: 'the email address belongs to somebody else',
    message: 'This email address belongs to somebody else',
  },
  form_closed: {
    when: 'the form is not published, or does not accept responses',
    message: 'This form does not accept responses',
  },
  idempotency_conflict: {
    when: 'the `Idempotency-Key` was used for another request, or for this one with an answer of more than 64 KB',
    message: 'This Idempotency-Key was used for another request',
  },
  idempotency_in_flight: {
    when: 'a request with the `Idempotency-Key` is being carried out',
    message: 'A request with this Idempotency-Key is being carried out',
  },
  payload_too_large: { when: 'the body has more than 100 KB', message: 'The body must be at most 102400 bytes' },
  unsupported_media_type: {
    when: 'the body is not declared as `application/json`',
    message: 'Send the body as Content-Type: application/json in UTF-8',
  },
  rate_limited: { when: 'the budget is used up', message: 'The limit of 120 requests/minute is used up' },
  internal_error: { when: 'a fault of the service', message: 'Something went wrong on our side' },
  unavailable: {
    when: 'the service cannot reach its records at the moment',
    message: 'The service cannot reach its records at the moment; try again',
  },
};

/** The responses that several operations share, by their codes. */
const COMPONENTS: Record<string, string> = {
  invalid_request: 'InvalidParameters',
  'invalid_request invalid_cursor': 'InvalidQuery',
  'invalid_request invalid_json': 'InvalidBody',
  'missing_api_key invalid_api_key key_revoked key_expired': 'Unauthorized',
  not_found: 'NotFound',
  'idempotency_conflict idempotency_in_flight': 'Conflict',
  payload_too_large: 'PayloadTooLarge',
  unsupported_media_type: 'UnsupportedMediaType',
  rate_limited: 'RateLimited',
  internal_error: 'InternalError',
  unavailable: 'Unavailable',
};

/** The schemas of errors by name, each with its codes. */
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
  IdempotencyError: ['idempotency_conflict', 'idempotency_in_flight'],
  PayloadTooLargeError: ['payload_too_large'],
  UnsupportedMediaTypeError: ['unsupported_media_type'],
  RateLimitError: ['rate_limited'],
  ServiceFaultError: ['internal_error'],
  UnavailableError: ['unavailable'],
};

const message = z.string().meta({ description: 'For people: what is wrong, and what would be right.' });

const invalidRequest = z
  .object({
    error: z.object({
      code: z.literal('invalid_request'),
      message,
      details: z
        .array(
          z.object({
            field: z.string().meta({ description: 'By the name it was sent under.' }),
            message: z.string().meta({ description: 'What would be right.' }),
          }),
        )
        .meta({ description: 'Each wrong field; where they are more than 50, the last says how many are left out.' }),
    }),
  })
  .meta({ id: 'InvalidRequestError', description: 'An error that names the fields which are wrong.' });

const schemas: readonly { readonly codes: readonly OperationError[]; readonly schema: z.ZodType }[] = [
  { codes: ['invalid_request'], schema: invalidRequest },
  ...Object.entries(SCHEMAS).map(([id, codes]) => ({
    codes,
    schema: z
      .object({ error: z.object({ code: z.enum(codes), message }) })
      .meta({ id, description: `${codes.map((code) => `\`${code}\``).join(', ')}: see the responses that have it.` }),
  })),
];

/**
 * The responses of an operation that can end with these errors, by status.
 *
 * @param scopes of which the operation needs one.
 */
export function errorResponses(
  codes: readonly OperationError[],
  scopes: readonly Scope[],
): Record<`${4 | 5}${string}`, ZodOpenApiResponseObject> {
  const byStatus = new Map<number, OperationError[]>();
  for (const code of codes) byStatus.set(STATUS_OF_CODE[code], [...(byStatus.get(STATUS_OF_CODE[code]) ?? []), code]);
  return Object.fromEntries([...byStatus].map(([status, codes]) => [status, errorResponse(status, codes, scopes)]));
}

const responses = new Map<string, ZodOpenApiResponseObject>();

/** The same object for the same codes (and scope, where its lack is the error), so that it becomes one component. */
function errorResponse(
  status: number,
  codes: readonly OperationError[],
  scopes: readonly Scope[],
): ZodOpenApiResponseObject {
  const ofScope = codes.includes('missing_scope');
  const key = codes.join(' ');
  const id = ofScope ? `Forbidden_${scopes.length === 1 ? scopes[0]?.replace('.', '_') : 'any'}` : COMPONENTS[key];
  const known = responses.get(id ?? key);
  if (known) return known;
  const response = {
    ...(id && { id }),
    description: listed(codes.map((code) => `\`${code}\`: ${ERRORS[code].when}`)),
    headers: headersOf(status),
    content: { 'application/json': { schema: schemaOf(codes), ...examplesOf(codes, scopes) } },
  };
  responses.set(id ?? key, response);
  return response;
}

function listed(lines: readonly string[]): string {
  return lines.length > 1 ? lines.map((line) => `- ${line}`).join('\n') : lines.join();
}

function headersOf(status: number) {
  const asksToWait = status === 429 || status === 503;
  // What an earlier request with the same Idempotency-Key came to.
  const isOutcome = status === 400 || status === 404 || status === 409;
  return headers(
    ...ALWAYS,
    ...(asksToWait ? (['Retry-After'] as const) : []),
    ...(isOutcome ? (['Idempotency-Replayed'] as const) : []),
  );
}

/** One named schema, or a choice of them. */
function schemaOf(codes: readonly OperationError[]): z.ZodType {
  const [schema, ...others] = schemas
    .filter((one) => one.codes.some((code) => codes.includes(code)))
    .map((one) => one.schema);
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

/** A field that is wrong in a query, in a body, or where there is neither. */
function invalidFieldOf(codes: readonly OperationError[]): [field: string, message: string] {
  if (codes.includes('invalid_cursor')) return ['limit', 'must be an integer from 1'];
  if (codes.includes('invalid_json')) return ['email_address', 'must be an email address'];
  return ['fields', 'unknown parameter; this operation has no query parameters'];
}
