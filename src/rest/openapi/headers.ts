import type { oas31 } from 'zod-openapi';

/** The headers of answers, by name. */
export const HEADERS = {
  'X-RateLimit-Limit': {
    description: 'The budget: requests a minute.',
    required: true,
    schema: { type: 'integer', minimum: 1, examples: [120] },
  },
  'X-RateLimit-Remaining': {
    description: 'What is left of the budget.',
    required: true,
    schema: { type: 'integer', minimum: 0, examples: [118] },
  },
  'X-Request-Id': {
    description:
      'Names this request in the logs. A request can bring its own: 1 to 128 letters, digits, `_`, `.`, `:` or `-`.',
    required: true,
    schema: { type: 'string', examples: ['b0c2cbe8-1c6f-4e52-9d7e-0f0c6c0a9f3e'] },
  },
  'Retry-After': {
    description: 'After how many seconds to ask again.',
    required: true,
    schema: { type: 'integer', minimum: 1, examples: [42] },
  },
  'Idempotency-Replayed': {
    description: '`true` where this is the answer that an earlier request with the same `Idempotency-Key` got.',
    schema: { type: 'string', enum: ['true'] },
  },
} as const satisfies Record<string, oas31.HeaderObject>;

/** References to headers, for a response. */
export function headers(...names: (keyof typeof HEADERS)[]): oas31.HeadersObject {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** The headers of every response. */
export const ALWAYS = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-Request-Id'] as const;
