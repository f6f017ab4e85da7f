import type { z } from 'zod';
import { createDocument, type oas31, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi';
import type { Scope } from '../../domain/core/scopes.ts';
import type { RequestParts } from '../input.ts';
import { type Route, routes } from '../routes.ts';
import { DESCRIPTION } from './description.ts';
import { errorResponses, type OperationError } from './errors.ts';
import { ALWAYS, HEADERS, headers } from './headers.ts';
import { OPERATIONS, type OperationText, TAGS } from './operations.ts';
import { override, withoutNullChoices } from './schema.ts';

/** The version of the interface (specification, "Versioning"). */
const VERSION = '1.0';

const IDEMPOTENCY_KEY: oas31.ParameterObject = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'Your own name for this write, so that repeating it does not carry it out again.',
  schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$', examples: ['5f0f4f0e-5a4e-4c3a-9f55-0b5f6d6f2f7a'] },
};

/** The description of the REST API in OpenAPI 3.1: made from the routes and the schemas that check and show. */
function createOpenApiDocument(): oas31.OpenAPIObject {
  const document = createDocument(
    {
      openapi: '3.1.0',
      info: {
        title: 'Community Membership Service',
        version: VERSION,
        description: DESCRIPTION,
        contact: { name: 'The administrators of your organization, who make keys' },
        license: { name: 'All rights reserved', identifier: 'LicenseRef-all-rights-reserved' },
      },
      servers: [{ url: '/v1', description: 'The service that gave this description' }],
      security: [{ ApiKey: [] }],
      tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
      paths: paths(),
      components: {
        securitySchemes: {
          ApiKey: {
            type: 'apiKey',
            in: 'header',
            name: 'X-Api-Key',
            description: 'Made by the administrators of an organization; each has scopes, and can have an expiry date.',
          },
        },
        parameters: { IdempotencyKey: IDEMPOTENCY_KEY },
        headers: HEADERS,
      },
    },
    { override },
  );
  return withoutNullChoices(document);
}

let printed: string | undefined;

/** The description as it is sent, and kept in the repository. */
export function openApiDocument(): string {
  printed ??= `${JSON.stringify(createOpenApiDocument(), null, 2)}\n`;
  return printed;
}

function paths(): ZodOpenApiPathsObject {
  const paths: ZodOpenApiPathsObject = {};
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation(route) };
  }
  return paths;
}

function operation({ id, method, path, operation, input, output }: Route): ZodOpenApiOperationObject {
  const text: OperationText = OPERATIONS[id];
  const parts = input.parts(operation.input);
  const writes = method !== 'GET';
  const description = [text.description, scopesAsText(operation.scopes)].filter(Boolean).join('\n\n');
  return {
    operationId: id,
    tags: [text.tag],
    summary: text.summary,
    description,
    'x-required-scope': operation.scopes.length === 1 ? operation.scopes[0] : operation.scopes,
    requestParams: {
      ...(parts.path && { path: parts.path }),
      ...(parts.query && { query: describeSearch(parts.query, text) }),
    },
    ...(writes && { parameters: [{ $ref: '#/components/parameters/IdempotencyKey' }] }),
    ...(parts.body && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: parts.body, ...(text.example && { example: text.example.body }) } },
      },
    }),
    responses: {
      [`${output.status}`]: {
        description: output.status === 201 ? 'What was created.' : 'What was asked for.',
        headers: headers(...ALWAYS, ...(writes ? (['Idempotency-Replayed'] as const) : [])),
        content: {
          'application/json': { schema: output.schema, example: text.example?.answer ?? output.example },
        },
      },
      ...errorResponses(errorsOf(path, parts, writes, text), operation.scopes),
    },
  };
}

function scopesAsText(scopes: readonly Scope[]): string {
  const names = scopes.map((scope) => `\`${scope}\``).join(', ');
  return scopes.length === 1 ? `Scope: ${names}.` : `Scope: at least one of ${names}.`;
}

function describeSearch(query: z.ZodObject, { searched }: OperationText): z.ZodObject {
  const { q } = query.shape as Record<string, z.ZodType>;
  return q && searched
    ? query.extend({
        q: q.describe(
          `Only records for which each word of this text is in the ${searched}. \`search\` is another name of this parameter.`,
        ),
      })
    : query;
}

/** The errors of an operation: those of every request, of what it takes, and its own. */
function errorsOf(path: string, parts: RequestParts, writes: boolean, text: OperationText): OperationError[] {
  return [
    'invalid_request',
    ...when(parts.query, 'invalid_cursor'),
    ...when(parts.body, 'invalid_json'),
    ...(text.errors ?? []),
    ...when(writes, 'idempotency_conflict', 'idempotency_in_flight'),
    ...(['missing_api_key', 'invalid_api_key', 'key_revoked', 'key_expired', 'missing_scope'] as const),
    ...when(path.includes('{'), 'not_found'),
    ...when(parts.body, 'payload_too_large', 'unsupported_media_type'),
    'rate_limited',
    'internal_error',
    'unavailable',
  ];
}

function when(holds: unknown, ...codes: OperationError[]): OperationError[] {
  return holds ? codes : [];
}
