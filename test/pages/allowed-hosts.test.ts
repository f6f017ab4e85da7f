import { beforeAll, expect, it } from 'vitest';
import type { App } from '../../src/app.ts';
import { onOneStore } from '../support/service.ts';

const PAGES = ['/', '/docs', '/docs/graphql', '/developer', '/developer/sign-in', '/graphql'];
const PATH = '/developer/sign-in';

onOneStore((service) => {
  const DEMO_KEY = 'cms_demo';
  let app: App;
  beforeAll(() => {
    app = service.appWith({
      docs: { demoKey: DEMO_KEY },
      graphiql: { demoKey: DEMO_KEY },
      developer: { operatorPassword: undefined },
      allowedHosts: ['records.example.org', '*.example.net', '192.0.2.7'],
    });
  });
  const get = (host: string, path: string) =>
    app.fetch(new Request(`http://service.test${path}`, { headers: { Host: host, Accept: 'text/html' } }));

  it.each([
    'localhost',
    'localhost:4000',
    'LOCALHOST',
    'localhost.',
    'cms.localhost:4000',
    '127.0.0.1:4000',
    '127.8.9.10',
    '[::1]:4000',
  ])('serves pages under %s', async (host) => {
    expect((await get(host, PATH)).status).toBe(200);
  });

  it.each([
    'evil.example',
    'evil.example:4000',
    'localhost.evil.example',
    'evillocalhost',
    '127.0.0.1.evil.example',
    '128.0.0.1',
    '[::2]',
    'xn--e1awd7f.com',
  ])('serves no page under %s', async (host) => {
    expect((await get(host, PATH)).status).toBe(421);
  });

  it.each(PAGES)('serves %s under ALLOWED_HOSTS only', async (path) => {
    for (const host of ['records.example.org', 'Records.Example.org:8443', 'a.b.example.net', '192.0.2.7:4000']) {
      expect([200, 303]).toContain((await get(host, path)).status);
    }
    for (const host of ['www.records.example.org', 'example.net']) {
      const response = await get(host, path);
      const text = await response.text();
      expect([response.status, response.headers.get('content-type')]).toEqual([421, 'text/plain; charset=UTF-8']);
      expect(text).toContain('ALLOWED_HOSTS');
      expect(text).not.toContain(DEMO_KEY);
    }
  });

  it('serves the APIs under any host', async () => {
    const { key } = await service.organization();
    const headers = { 'X-Api-Key': key, Host: 'evil.example', 'Content-Type': 'application/json' };
    const rest = await app.fetch(new Request('http://service.test/v1/events', { headers }));
    const body = JSON.stringify({ query: '{ __typename }' });
    const graphql = await app.fetch(
      new Request('http://service.test/graphql', { method: 'POST', headers: { ...headers, Accept: '*/*' }, body }),
    );
    expect([rest.status, graphql.status]).toEqual([200, 200]);
  });
});
