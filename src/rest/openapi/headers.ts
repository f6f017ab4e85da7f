import { z } from 'zod';
import type { oas31 } from 'zod-openapi';
import { CHALLENGE } from '../../http/response/response.ts';

/** The response headers by name. */
export const HEADERS = {
  'X-RateLimit-Limit': {
    description: 'The rate limit of the key, or of the client address if the key is not valid, in points per minute.',
    required: true,
    schema: { type: 'integer', minimum: 1, examples: [120] },
  },
  'X-RateLimit-Remaining': {
    description: 'The number of points left in the current window.',
    required: true,
    schema: { type: 'integer', minimum: 0, examples: [118] },
  },
  'X-RateLimit-Reset': {
    description: 'The number of seconds until the window ends and all points are available again.',
    required: true,
    schema: { type: 'integer', minimum: 0, maximum: 60, examples: [42] },
  },
  ETag: {
    description:
      'The state of the resource. Send it as `If-None-Match` to read the resource only if it changed, or as `If-Match` to change it only if it did not.',
    required: true,
    schema: { type: 'string', examples: ['"k3Vb1mO0mVwGqk4Zl0Qe3w"'] },
  },
  Location: {
    description: 'The path of the new record.',
    required: true,
    schema: { type: 'string', examples: ['/v1/members/mem_01j00000000000000000000001'] },
  },
  'X-Request-Id': {
    description:
      'The id of this request in the logs. A request can set it with the same header: 1 to 128 letters, digits, `_`, `.`, `:` or `-`. An id that looks like an API key or another secret is replaced.',
    required: true,
    schema: { type: 'string', examples: ['b0c2cbe8-1c6f-4e52-9d7e-0f0c6c0a9f3e'] },
  },
  'WWW-Authenticate': {
    description: 'How to authenticate: with the header `X-Api-Key`.',
    required: true,
    schema: { type: 'string', examples: [CHALLENGE] },
  },
  'Retry-After': {
    description: 'The number of seconds to wait before retrying.',
    required: true,
    schema: { type: 'integer', minimum: 1, examples: [42] },
  },
  'Idempotency-Replayed': {
    description: '`true` if this is the stored response of an earlier request with the same `Idempotency-Key`.',
    schema: { type: 'string', enum: ['true'] },
  },
} as const satisfies Record<string, oas31.HeaderObject>;

/** Returns references to the headers of a response. */
export function headers(...names: (keyof typeof HEADERS)[]): oas31.HeadersObject {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** The headers of every response. */
export const COMMON_HEADERS = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Request-Id',
] as const;

/** The request headers that some operations take. Client generators drop those that are only in the text. */
const REQUEST_HEADERS = {
  'Idempotency-Key': z
    .string()
    .min(1)
    .max(255)
    .optional()
    .describe('A new value for each write, for example a UUID. A retry with the same value gets the first response.'),
  'If-Match': z
    .string()
    .optional()
    .describe('The `ETag` of the resource as it was read. If it has changed since, the response is 412.'),
  'If-None-Match': z
    .string()
    .optional()
    .describe('The `ETag` of an earlier response. If nothing has changed, the response is 304.'),
};

/** Returns the header parameters of an operation, all optional. @param taken whether the operation takes each. */
export function requestHeaders(taken: Readonly<Record<keyof typeof REQUEST_HEADERS, boolean>>) {
  const names = Object.keys(REQUEST_HEADERS) as (keyof typeof REQUEST_HEADERS)[];
  const shape = names.filter((name) => taken[name]).map((name) => [name, REQUEST_HEADERS[name]]);
  return shape.length > 0 && { header: z.object(Object.fromEntries(shape) as Record<string, z.ZodOptional>) };
}
