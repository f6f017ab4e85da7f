import type { z } from 'zod';
import { createDocument, type oas31, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi';
import type { Scope } from '../../domain/core/scopes.ts';
import type { ListOperation } from '../../domain/definition/list.ts';
import type { RequestParts } from '../input.ts';
import { type Route, routes } from '../routes.ts';
import { DESCRIPTION } from './description.ts';
import { errorResponses, type OperationError } from './errors.ts';
import { COMMON_HEADERS, HEADERS, headers } from './headers.ts';
import { OPERATIONS, type OperationText, TAGS } from './operations.ts';
import { override, withNullableScalars } from './schema.ts';

/** The version of the API (specification, "Versioning"). */
const VERSION = '1.0';

const IDEMPOTENCY_KEY: oas31.ParameterObject = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'A unique key that you choose for this write, so that retries do not execute it again.',
  schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$', examples: ['5f0f4f0e-5a4e-4c3a-9f55-0b5f6d6f2f7a'] },
};

/** Builds the OpenAPI 3.1 document of the REST API from its routes and schemas. */
function createOpenApiDocument(): oas31.OpenAPIObject {
  const document = createDocument(
    {
      openapi: '3.1.0',
      info: {
        title: 'Community Membership Service',
        version: VERSION,
        description: DESCRIPTION,
        contact: { name: 'The administrators of your organization, who create API keys' },
        license: { name: 'All rights reserved', identifier: 'LicenseRef-all-rights-reserved' },
      },
      servers: [{ url: '/v1', description: 'The service that serves this document' }],
      security: [{ ApiKey: [] }],
      tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
      paths: paths(),
      components: {
        securitySchemes: {
          ApiKey: {
            type: 'apiKey',
            in: 'header',
            name: 'X-Api-Key',
            description: 'An API key of an organization. A key has scopes, and can have an expiry date.',
          },
        },
        parameters: { IdempotencyKey: IDEMPOTENCY_KEY },
        headers: HEADERS,
      },
    },
    { override },
  );
  return withNullableScalars(document);
}

let cached: string | undefined;

/** Returns the JSON text of the OpenAPI document, as it is served at `/openapi.json` and checked in as `openapi.json`. */
export function openApiDocument(): string {
  cached ??= `${JSON.stringify(createOpenApiDocument(), null, 2)}\n`;
  return cached;
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
  const isWrite = method !== 'GET';
  const description = [text.description, scopesAsText(operation.scopes)].filter(Boolean).join('\n\n');
  return {
    operationId: id,
    tags: [text.tag],
    summary: text.summary,
    description,
    'x-required-scope': operation.scopes.length === 1 ? operation.scopes[0] : operation.scopes,
    requestParams: {
      ...(parts.path && { path: parts.path }),
      ...(parts.query && { query: describeSearch(parts.query, operation) }),
    },
    ...(isWrite && { parameters: [{ $ref: '#/components/parameters/IdempotencyKey' as const }] }),
    ...(parts.body && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: parts.body, ...(text.example && { example: text.example.body }) } },
      },
    }),
    responses: {
      [`${output.status}`]: {
        description: output.status === 201 ? 'Created.' : 'OK.',
        headers: headers(...COMMON_HEADERS, ...(isWrite ? (['Idempotency-Replayed'] as const) : [])),
        content: {
          'application/json': { schema: output.schema, example: text.example?.response ?? output.example },
        },
      },
      ...errorResponses(errorsOf(path, parts, isWrite, text), operation.scopes),
    },
  };
}

function scopesAsText(scopes: readonly Scope[]): string {
  const names = scopes.map((scope) => `\`${scope}\``).join(', ');
  return scopes.length === 1 ? `Scope: ${names}.` : `Scope: at least one of ${names}.`;
}

function describeSearch(query: z.ZodObject, operation: Route['operation']): z.ZodObject {
  const { searchDescription } = operation as Partial<Pick<ListOperation<unknown>, 'searchDescription'>>;
  const { q } = query.shape as Record<string, z.ZodType>;
  return q && searchDescription
    ? query.extend({
        q: q.describe(`${searchDescription} \`search\` is an alias of this parameter.`),
      })
    : query;
}

/**
 * Returns the errors of an operation: those of every request, those of its parameters and body, and those specific to
 * it.
 */
function errorsOf(path: string, parts: RequestParts, isWrite: boolean, text: OperationText): OperationError[] {
  return [
    'invalid_request',
    ...when(parts.query, 'invalid_cursor'),
    ...when(parts.body, 'invalid_json'),
    ...(text.errors ?? []),
    ...when(isWrite, 'idempotency_conflict', 'idempotency_in_flight'),
    ...(['missing_api_key', 'invalid_api_key', 'key_revoked', 'key_expired', 'missing_scope'] as const),
    ...when(path.includes('{'), 'not_found'),
    ...when(parts.body, 'payload_too_large', 'unsupported_media_type'),
    'rate_limited',
    'internal_error',
    'unavailable',
  ];
}

function when(condition: unknown, ...codes: OperationError[]): OperationError[] {
  return condition ? codes : [];
}
