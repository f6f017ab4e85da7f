import { expect, it } from 'vitest';
import { onOneStore, type TestService } from '../support/service.ts';

const KEY = 'cms_of-the-demo';

onOneStore((service) => {
  const page = async (parts: Parameters<TestService['appWith']>[0], init: RequestInit = {}) =>
    service.appWith(parts).fetch(new Request('http://service.test/', init));
  const OKAFOR = '/v1/members?email_address=amara.okafor@example.org';
  const text = async (...args: Parameters<typeof page>) => (await page(...args)).text();

  it('describes the service, without authentication and rate limiting', async () => {
    const response = await page({});
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^text\/html/);
    expect(response.headers.get('x-ratelimit-limit')).toBeNull();
    expect(await response.text()).toContain('<title>Community Membership Service</title>');
  });

  it('links only to enabled pages', async () => {
    expect(await text({ graphiql: { demoKey: undefined } })).toContain('href="/graphql"');
    expect(await text({})).not.toContain('href="/graphql"');
  });

  it('shows a request with the demo key if GraphiQL has it', async () => {
    expect(await text({ graphiql: { demoKey: KEY } })).toContain(`X-Api-Key: ${KEY}`);
    for (const parts of [{}, { graphiql: { demoKey: undefined } }]) {
      expect(await text(parts)).not.toMatch(/cms_/);
      expect(await text(parts)).toContain('YOUR_API_KEY');
    }
  });

  it('contains the origin of the request', async () => {
    expect(await text({})).toContain(`http://service.test${OKAFOR}&#39;`);
    const headers = { 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': "o'neil.example" };
    expect(await text({ trustProxy: 1 }, { headers })).toContain(
      '&#39;https://o&#39;\\&#39;&#39;neil.example/v1/members?email_address=amara.okafor@example.org&#39;',
    );
  });

  it('serves immutable assets, and no other files', async () => {
    const [, style = ''] = /href="(\/assets\/[^"]+\.css)"/.exec(await text({})) ?? [];
    const get = (path: string) => service.app.fetch(new Request(`http://service.test${path}`));
    const response = await get(style);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/css; charset=utf-8']);
    expect(response.headers.get('cache-control')).toContain('immutable');
    for (const path of [style.replace('style.css', 'package.json'), '/assets/old/style.css', '/assets/']) {
      expect((await get(path)).status).toBe(401);
    }
  });
});
