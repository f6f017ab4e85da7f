import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type ErrorRequestHandler, type RequestHandler } from 'express';
import { middleware } from 'express-openapi-validator';
import createClient from 'openapi-fetch';
import { afterAll, expect, inject, it } from 'vitest';
import type { paths } from '../generated/express-openapi-validator/openapi.d.ts';
import { DESCRIPTION } from '../support/prism.ts';
import { person } from '../support/rest.ts';
import { headers } from '../support/service.ts';
import { tool } from '../support/tool.ts';

await tool('openapi-typescript', DESCRIPTION, '--output', 'generated/express-openapi-validator/openapi.d.ts');

/** What the validator found, in requests and responses. */
const violations: string[] = [];

/** Forwards a request, and returns its response through `json`, which the validator checks. */
const forward: RequestHandler = async (request, response) => {
  const answer = await fetch(inject('address') + request.originalUrl, {
    method: request.method,
    headers: {
      'X-Api-Key': request.get('X-Api-Key') ?? '',
      ...(request.body && { 'Content-Type': 'application/json' }),
      ...(request.get('If-Match') && { 'If-Match': request.get('If-Match') }),
    },
    ...(request.body && { body: JSON.stringify(request.body) }),
  });
  response.status(answer.status).set('ETag', answer.headers.get('ETag') ?? undefined);
  response.json(await answer.json());
};

const onViolation: ErrorRequestHandler = (error, request, response, _next) => {
  violations.push(`${request.method} ${request.originalUrl}: ${error.message}`);
  response.status(error.status ?? 500).json({ violation: error.message });
};

const app = express()
  .use(express.json())
  .use(middleware({ apiSpec: DESCRIPTION, validateRequests: true, validateResponses: true }))
  .use(forward)
  .use(onViolation);
const server = createServer(app).listen(0, '127.0.0.1');
await once(server, 'listening');
afterAll(() => void server.close());

const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
const client = createClient<paths>({ baseUrl, headers });

it('passes lists with filters, several values and pages', async () => {
  const tags = await client.GET('/tags');
  const tag_id = tags.data?.data.slice(0, 2).map(({ id }) => id) ?? [];
  const query = { tag_id, is_guest: false, order_by: '-name', limit: 1, count: true } as const;
  const first = await client.GET('/members', { params: { query } });
  const cursor = first.data?.pagination.next_cursor ?? '';
  const next = await client.GET('/members', { params: { query: { ...query, cursor } } });
  const lists = [
    await client.GET('/events', { params: { query: { from: '2026-02-01', until: '2026-02-28', order_by: 'date' } } }),
    await client.GET('/prayer-requests', { params: { query: { status: 'pending' } } }),
    await client.GET('/forms', { params: { query: { ids: [1, 2], accepting_response: true } } }),
    await client.GET('/changes', { params: { query: { resources: ['members', 'tags'] } } }),
  ];
  expect([tags, first, next, ...lists].map(({ response }) => response.status)).toEqual(Array(7).fill(200));
  expect(violations).toEqual([]);
});

it('passes writes with null and empty fields', async () => {
  const body = { ...person(), city: null, gender: null };
  const created = await client.POST('/members', { body });
  const params = { path: { object_id: created.data?.data.id ?? '' } };
  const read = await client.GET('/members/{object_id}', { params });
  const headers = { 'If-Match': read.response.headers.get('ETag') };
  const updated = await client.PATCH('/members/{object_id}', { params, headers, body: { city: '', state: null } });
  const tags = await client.PATCH('/members/{object_id}/tags', { params, body: { add: [], remove: [] } });
  const prayer = await client.POST('/prayer-requests', { body: { description: 'Rain', title: null } });
  expect([created, read, updated, tags, prayer].map(({ response }) => response.status)).toEqual([
    201, 200, 200, 200, 201,
  ]);
  expect(violations).toEqual([]);
});

it('refuses a request that violates the description', async () => {
  const response = await fetch(`${baseUrl}/members?limit=many`, { headers });
  expect(response.status).toBe(400);
  expect(violations.splice(0)).toEqual([expect.stringContaining('limit')]);
});
