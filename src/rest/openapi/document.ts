import { readFileSync } from 'node:fs';
import type { z } from 'zod';
import { createDocument, type oas31, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi';
import type { Scope } from '../../domain/core/scopes.ts';
import type { ListOperation } from '../../domain/definition/list.ts';
import type { RequestParts } from '../input.ts';
import { hasPrecondition, type Route } from '../route.ts';
import { routes } from '../routes.ts';
import { DESCRIPTION } from './description.ts';
import { errorResponses, type OperationError } from './error-responses.ts';
import { COMMON_HEADERS, HEADERS, headers, requestHeaders } from './headers.ts';
import { OPERATION_TEXTS, type OperationText, TAGS } from './operation-texts.ts';
import { override, withNullableScalars } from './schema.ts';
import { webhooks } from './webhooks.ts';

/** The version of the API (specification, "Versioning"). */
const VERSION = '1.0';

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
      webhooks,
      components: {
        securitySchemes: {
          ApiKey: {
            type: 'apiKey',
            in: 'header',
            name: 'X-Api-Key',
            description: 'An API key of an organization. A key has scopes, and can have an expiry date.',
          },
        },
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

/** The output of `npm run build:openapi-3.0`. */
const OPENAPI_3_0 = new URL('../../../dist/openapi-3.0.json', import.meta.url);

/** The versions of OpenAPI in which the API is described: the text of the document by the path that serves it. */
export const OPENAPI_DOCUMENTS: Readonly<Record<string, () => string>> = {
  '/openapi.json': openApiDocument,
  '/openapi-3.0.json': () => readFileSync(OPENAPI_3_0, 'utf8'),
};

/** Replaces the server of a document by the absolute address of the service, which imports into other tools lose. */
export function withServer(document: string, origin: string): string {
  return document.replace('"url": "/v1"', `"url": ${JSON.stringify(`${origin}/v1`)}`);
}

function paths(): ZodOpenApiPathsObject {
  const paths: ZodOpenApiPathsObject = {};
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation(route) };
  }
  return paths;
}

function operation(route: Route): ZodOpenApiOperationObject {
  const { id, method, operation, input, output } = route;
  const text = OPERATION_TEXTS[id] as OperationText;
  const parts = input.parts(operation.input);
  const isWrite = method !== 'GET';
  const description = [text.description, scopesAsText(operation.scopes)].filter(Boolean).join('\n\n');
  return {
    operationId: id,
    tags: [text.tag],
    summary: text.summary,
    description,
    ...(operation.scopes.length > 0 && {
      'x-required-scope': operation.scopes.length === 1 ? operation.scopes[0] : operation.scopes,
    }),
    requestParams: {
      ...(parts.path && { path: parts.path }),
      ...(parts.query && { query: describeSearch(parts.query, operation) }),
      ...requestHeaders({
        'Idempotency-Key': isWrite,
        'If-Match': hasPrecondition(route),
        'If-None-Match': method === 'GET' && output.hasETag === true,
      }),
    },
    ...(parts.body && {
      requestBody: {
        required: true,
        content: {
          'application/json': { schema: parts.body, ...(text.example?.body && { example: text.example.body }) },
        },
      },
    }),
    responses: {
      [`${output.status}`]: {
        description: output.status === 201 ? 'Created.' : 'OK.',
        headers: headers(
          ...COMMON_HEADERS,
          ...(isWrite ? (['Idempotency-Replayed'] as const) : []),
          ...(output.hasETag ? (['ETag'] as const) : []),
          ...(output.location ? (['Location'] as const) : []),
        ),
        content: {
          'application/json': { schema: output.schema, example: text.example?.response ?? output.example },
        },
      },
      ...(!isWrite &&
        output.hasETag && {
          '304': {
            description: 'The client already has this state of the resource, according to `If-None-Match`.',
            headers: headers(...COMMON_HEADERS, 'ETag'),
          },
        }),
      ...errorResponses(errorsOf(route, parts, text), operation.scopes),
    },
  };
}

function scopesAsText(scopes: readonly Scope[]): string | undefined {
  if (scopes.length === 0) return undefined;
  const names = scopes.map((scope) => `\`${scope}\``).join(', ');
  // All of them would be longer than the description.
  return scopes.length === 1 ? `Scope: ${names}.` : 'Scope: that of each list.';
}

function describeSearch(query: z.ZodObject, operation: Route['operation']): z.ZodObject {
  const { searchDescription } = operation as Partial<Pick<ListOperation<unknown>, 'searchDescription'>>;
  const { q } = query.shape as Record<string, z.ZodType>;
  if (!q || !searchDescription) return query;
  return query.extend({
    q: q.describe(searchDescription),
    search: q.meta({ description: 'Another name of `q`.', param: { deprecated: true } }),
  });
}

/**
 * Returns the errors of an operation: those of every request, those of its parameters and body, and those specific to
 * it.
 */
function errorsOf({ method, path, operation }: Route, parts: RequestParts, text: OperationText): OperationError[] {
  return [
    'invalid_request',
    ...when(parts.query?.shape.cursor, 'invalid_cursor'),
    ...when(parts.body, 'invalid_json'),
    ...(text.errors ?? []),
    ...when(method !== 'GET', 'idempotency_conflict', 'idempotency_in_flight'),
    ...(['missing_api_key', 'invalid_api_key', 'key_revoked', 'key_expired'] as const),
    ...when(operation.scopes.length > 0, 'missing_scope'),
    ...when(path.includes('{'), 'not_found'),
    ...when(hasPrecondition({ method }), 'precondition_failed'),
    ...when(parts.body, 'payload_too_large', 'unsupported_media_type'),
    'rate_limited',
    'internal_error',
    'unavailable',
  ];
}

function when(condition: unknown, ...codes: OperationError[]): OperationError[] {
  return condition ? codes : [];
}
