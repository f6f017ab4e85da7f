import type { Server } from 'node:http';
import { buildClientSchema, type GraphQLSchema, lexicographicSortSchema, printSchema } from 'graphql';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { schema as serviceSchema } from '../../../src/graphql/schema/schema.ts';
import { createHttpServer, listen } from '../../../src/server/http-server.ts';
import { person, times } from '../../support/data.ts';
import { onOneStore, type TestOrganization } from '../../support/service.ts';

onOneStore((service) => {
  let server: Server;
  let address: string;
  let organization: TestOrganization;

  beforeAll(async () => {
    organization = await service.organization();
    for (const n of times(7, (n) => n)) await organization.post('/members', person({ last_name: `Number${n}` }));
    const app = service.appWith({ graphiql: { demoKey: organization.key } });
    server = createHttpServer(app);
    address = await listen(server, 0, '127.0.0.1');
  });
  afterAll(() => server.close());

  const html = (init: RequestInit = {}) =>
    fetch(`${address}/graphql`, { ...init, headers: { Accept: 'text/html', ...init.headers } });

  it('serves the page without a key or a rate limit', async () => {
    const response = await html();
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^text\/html/);
    expect(response.headers.get('x-ratelimit-limit')).toBeNull();
  });

  it('serves a small page with compressed, immutable assets', async () => {
    const page = await (await html()).text();
    expect(page.length).toBeLessThan(20_000);
    const files = [...page.matchAll(/(?:src|href)="([^"]+\.\w+)"/g)].map(([, path]) => path as string);
    expect(files.length).toBeGreaterThanOrEqual(4);
    for (const file of files) {
      const response = await fetch(address + file, { headers: { 'Accept-Encoding': 'br' } });
      expect([response.status, response.headers.get('content-encoding')]).toEqual([200, 'br']);
      expect(response.headers.get('cache-control')).toContain('immutable');
    }
  });

  it('has the frame of the site, a heading and a link to skip the navigation', async () => {
    const page = await (await html()).text();
    expect(page).toContain('<a class="skip" href="#main">');
    expect(page.match(/<h1>/g)).toHaveLength(1);
    expect(page).toMatch(/<a href="\/graphql" aria-current="true">GraphiQL<\/a>/);
    expect(page).toMatch(/<main [^>]*id="main"/);
  });

  it('allows scripts, workers, styles and fonts of this service only', async () => {
    const policy = (await html()).headers.get('content-security-policy') ?? '';
    const sources = policy.split('; ').flatMap((directive) => directive.split(' ').slice(1));
    expect(new Set(sources)).toEqual(new Set(["'self'", "'none'", "'unsafe-inline'", 'data:']));
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("worker-src 'self'");
  });

  it('serves the page and the schema with caching headers', async () => {
    const first = await html({ headers: { 'Accept-Encoding': 'br' } });
    const again = await html({
      headers: { 'Accept-Encoding': 'br', 'If-None-Match': first.headers.get('etag') ?? '' },
    });
    expect([first.headers.get('content-encoding'), first.headers.get('vary'), again.status]).toEqual([
      'br',
      'Accept, Accept-Encoding',
      304,
    ]);
    const folder = /"folder":"([^"]+)"/.exec(await first.text())?.[1];
    const schema = await fetch(`${address}${folder}/schema.json`, { headers: { 'Accept-Encoding': 'br' } });
    expect(schema.headers.get('cache-control')).toContain('immutable');
    const sorted = (one: GraphQLSchema) => printSchema(lexicographicSortSchema(one));
    expect(sorted(buildClientSchema((await schema.json()).data))).toBe(sorted(serviceSchema));
  });

  it.each([
    ['a request with a key', 'text/html', 'GET', true],
    // HttpURLConnection of Java.
    ['a program with a key', 'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2', 'HEAD', true],
    ['a request that prefers JSON', 'application/json, text/html;q=0.9', 'GET', false],
    ['a request that prefers GraphQL', 'text/html;q=0.5, application/graphql-response+json', 'GET', false],
    ['a request that refuses HTML', 'text/html;q=0, */*', 'GET', false],
  ])('does not serve the page to %s', async (_name, accept, method, hasKey) => {
    const headers = { Accept: accept, ...(hasKey && { 'X-Api-Key': organization.key }) };
    const response = await fetch(`${address}/graphql?query={__typename}`, { method, headers });
    expect(response.status).toBe(hasKey ? 200 : 401);
    expect(response.headers.get('content-type')).toMatch(/^application\/(?:json|graphql-response\+json);/);
    expect(response.headers.get('x-ratelimit-limit')).not.toBeNull();
  });

  it.each([
    'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
    'TEXT/HTML',
    'text/html, application/json',
  ])('serves the page to a browser that accepts %s, also with a query in the address', async (accept) => {
    for (const method of ['GET', 'HEAD']) {
      const response = await fetch(`${address}/graphql?query={__typename}`, { method, headers: { Accept: accept } });
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    }
  });

  it('serves no page if GraphiQL is disabled', async () => {
    const app = service.appWith({});
    const response = await app.fetch(new Request('http://service.test/graphql', { headers: { Accept: 'text/html' } }));
    expect(response.status).toBe(401);
  });

  it('contains no key without a demo key', async () => {
    const app = service.appWith({ graphiql: { demoKey: undefined } });
    const response = await app.fetch(new Request('http://service.test/graphql', { headers: { Accept: 'text/html' } }));
    expect(await response.text()).not.toMatch(/cms_[0-9a-z]{10}/);
  });
});
