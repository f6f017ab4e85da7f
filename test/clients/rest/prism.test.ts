import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, inject, it, onTestFinished } from 'vitest';
import { startMock, startProxy } from '../support/prism.ts';
import { headers } from '../support/service.ts';

/** The response of Prism to a violation. */
interface Problem {
  readonly type: string;
  readonly validation?: { readonly location: string[]; readonly message: string }[];
}

async function problemOf(address: string, init?: RequestInit): Promise<[number, Problem]> {
  const response = await fetch(address, { headers, ...init });
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  return [response.status, (await response.json()) as Problem];
}

const violation = (location: string[], message = '') =>
  expect.objectContaining({ location, message: expect.stringContaining(message) });

it('forwards responses of the service unchanged', async () => {
  const [direct, proxied] = await Promise.all(
    [`${inject('address')}/v1`, inject('prism')].map(async (address) => {
      const response = await fetch(`${address}/departments`, { headers });
      return [response.status, response.headers.get('content-type'), await response.json()];
    }),
  );
  expect(proxied).toEqual(direct);
});

it.each([
  ['a parameter of another type', '/members?limit=many', {}, ['query', 'limit']],
  [
    'an undocumented field',
    '/prayer-requests',
    {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify({ description: 'Rain', colour: 'blue' }),
    },
    ['body'],
  ],
])('rejects a request with %s', async (_, path, init, location) => {
  const [status, { validation }] = await problemOf(inject('prism') + path, init);
  expect(status).toBe(422);
  expect(validation).toContainEqual(violation(location));
});

it('rejects a request without a key', async () => {
  const [status, { type }] = await problemOf(`${inject('prism')}/members`, { headers: {} });
  expect([status, type]).toEqual([401, expect.stringContaining('UNAUTHORIZED')]);
});

it('reports a response that violates the description', async () => {
  const server = createServer((request, response) => {
    response.setHeader('Content-Type', 'application/json');
    if (request.url === '/v1/tags') response.end('{"data":[{"id":5}]}');
    else response.writeHead(418).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const prism = await startProxy(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`);
  onTestFinished(() => prism.stop());

  const [status, { validation }] = await problemOf(`${prism.address}/tags`);
  expect(status).toBe(500);
  expect(validation).toContainEqual(violation(['response', 'body', 'data', '0', 'id'], 'must be string'));
  expect(validation).toContainEqual(violation(['response', 'header'], 'x-ratelimit-limit'));
  // Undocumented statuses are forwarded with a header, which the clients check.
  const teapot = await fetch(`${prism.address}/events`, { headers });
  expect([teapot.status, teapot.headers.get('sl-violations')]).toEqual([418, expect.stringContaining('status code')]);
});

it('responds with the examples of the description as a mock', async () => {
  const prism = await startMock();
  onTestFinished(() => prism.stop());
  const response = await fetch(`${prism.address}/members?limit=2`, { headers });
  expect(await response.json()).toMatchObject({ data: [{ first_name: 'Amara' }], pagination: { has_more: false } });
});
