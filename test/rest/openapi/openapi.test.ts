import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { openApiDocument } from '../../../src/rest/openapi/document.ts';
import { routes } from '../../../src/rest/routes.ts';
import { described, takeDeviations } from '../../support/requests/described.ts';
import { onOneStore } from '../../support/service.ts';

const document = JSON.parse(openApiDocument());
const operations = Object.entries<Record<string, { operationId: string; description: string }>>(document.paths).flatMap(
  ([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), ...operation })),
);

it('equals the committed file', async () => {
  const committed = await readFile(new URL('../../../openapi.json', import.meta.url), 'utf8');
  expect(committed, 'openapi.json is stale: run "npm run generate"').toBe(openApiDocument());
});

it('describes each operation in at most 300 characters, what it does first and its scope last', () => {
  for (const { operationId, description } of operations) {
    expect(description.length, operationId).toBeLessThanOrEqual(300);
    expect(description, operationId).toMatch(/^(Returns|Creates|Updates|Adds|Stores|Submits|Deletes) /);
    expect(description.indexOf('Scope: '), operationId).toBe(
      description.lastIndexOf('\n\nScope: ') + (description.includes('Scope: ') ? 2 : 0),
    );
  }
});

it('marks the parameter search as deprecated, not its values', () => {
  const search = document.paths['/members'].get.parameters.find(({ name }: { name: string }) => name === 'search');
  expect([search.deprecated, search.schema.deprecated]).toEqual([true, undefined]);
});

it('describes every route, with its scope', () => {
  const routed = routes.map(({ id, method, path, operation: { scopes } }) => {
    const scope = scopes.length > 1 ? scopes : scopes[0];
    return { id, method, path, scope };
  });
  const shown = operations.map(({ operationId: id, method, path, ...operation }) => ({
    id,
    method,
    path,
    scope: (operation as Record<string, unknown>)['x-required-scope'],
  }));
  expect(new Set(shown)).toEqual(new Set(routed));
  expect(document).toMatchObject({ openapi: '3.1.0', info: { version: '1.0' }, security: [{ ApiKey: [] }] });
});

onOneStore((service) => {
  const get = (path: string, headers: Record<string, string> = {}) =>
    service.app.fetch(new Request(`http://service.test${path}`, { headers }));

  it('is served without a key and without rate limiting', async () => {
    const { servers: _, ...withoutServers } = document;
    const response = await get('/openapi.json');
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json']);
    const { servers, ...served } = await response.json();
    expect(served).toEqual(withoutServers);
    expect(servers[0].url).toBe('http://service.test/v1');
    expect(response.headers.get('x-ratelimit-limit')).toBeNull();
  });

  it('is served in OpenAPI 3.0 too, for tools that read no later version', async () => {
    const { openapi, paths, servers } = await (await get('/openapi-3.0.json')).json();
    expect([openapi, servers[0].url]).toEqual(['3.0.3', 'http://service.test/v1']);
    expect(Object.keys(paths)).toEqual(Object.keys(document.paths));
  });

  describe('the validation of every response', () => {
    /** Deviations that are found in the response to a list of tags after a change to it. */
    async function deviationsOf(change: (response: Response) => Response | Promise<Response>): Promise<string[]> {
      const { key, id } = await service.organization();
      await service.store.prisma.tag.create({
        data: { organizationId: id, id: `tag_${id.slice(4)}`, name: 'Choir', slug: 'choir', searchText: 'CHOIR' },
      });
      const app = described({ fetch: async (request) => change(await service.app.fetch(request)) });
      await app.fetch(new Request('http://service.test/v1/tags', { headers: { 'X-Api-Key': key } }));
      return takeDeviations();
    }

    const withBody = (change: (body: { data: Record<string, unknown>[] }) => object) => async (response: Response) =>
      Response.json(change(await response.json()), { headers: response.headers });
    const withTag = (fields: object) => withBody((body) => ({ ...body, data: [{ ...body.data[0], ...fields }] }));
    const withHeaders = (change: (headers: Headers) => void) => (response: Response) => {
      const headers = new Headers(response.headers);
      change(headers);
      return new Response(response.body, { headers });
    };

    it('finds nothing in an unchanged response', async () => {
      expect(await deviationsOf((response) => response)).toEqual([]);
    });

    it.each([
      [
        'another status',
        (response: Response) => new Response(response.body, { status: 418, headers: response.headers }),
      ],
      ['a missing header', withHeaders((headers) => headers.delete('X-RateLimit-Remaining'))],
      ['an additional field', withTag({ secret: 'x' })],
      ['a value of another type', withTag({ color: 5 })],
      ['a missing top-level property', withBody(({ data }) => ({ data }))],
    ])('finds %s', async (_, change) => {
      expect(await deviationsOf(change)).toHaveLength(1);
    });
  });
});
