import { beforeAll, describe, expect, it } from 'vitest';
import type { App } from '../../src/app.ts';
import { onOneStore } from '../support/service.ts';

const PATHS = [
  '/',
  '/livez',
  '/readyz',
  '/healthz',
  '/openapi.json',
  '/favicon.ico',
  '/docs',
  '/docs/search',
  '/docs/graphql',
  '/docs/graphql/search',
];

/** Pages, each with the folder of its files. */
const FOLDERS = [
  ['/docs', '/assets'],
  ['/docs', '/docs/assets'],
  ['/developer/sign-in', '/developer/assets'],
  ['/graphql', '/graphql/graphiql'],
] as const;

const ALLOW = 'GET, HEAD, OPTIONS';

onOneStore((service) => {
  let app: App;
  beforeAll(() => {
    const [docs, graphiql, developer] = [{ demoKey: undefined }, { demoKey: undefined }, { operatorPassword: '' }];
    app = service.appWith({ docs, graphiql, developer });
  });
  const send = (path: string, method: string, headers = {}) =>
    app.fetch(new Request(`http://service.test${path}`, { method, headers }));

  const expectMethodsRejected = async (path: string) => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const response = await send(path, method, { Origin: 'http://service.test' });
      expect([response.status, response.headers.get('allow')]).toEqual([405, ALLOW]);
      expect(response.headers.get('x-request-id')).toMatch(/./);
      expect(await response.json()).toEqual({
        error: { code: 'method_not_allowed', message: `This path does not support ${method}; it supports ${ALLOW}` },
      });
    }
  };

  it.each(PATHS)('responds to other methods of %s with 405 and Allow, without a key', expectMethodsRejected);

  it.each(FOLDERS)('of %s, responds to other methods of a file in %s with 405 and Allow', async (page, folder) => {
    const content = await (await send(page, 'GET', { Accept: 'text/html' })).text();
    const [, file = ''] = new RegExp(`="(${folder}/[^"]+\\.\\w+)"`).exec(content) ?? [];
    expect((await send(file, 'GET')).status).toBe(200);
    await expectMethodsRejected(file);
  });

  it.each(PATHS)(
    'responds to OPTIONS %s with 204 and Allow; it needs no key, and gets no CORS headers',
    async (path) => {
      const response = await send(path, 'OPTIONS', { Origin: 'https://evil.test' });
      expect([response.status, response.headers.get('allow'), await response.text()]).toEqual([204, ALLOW, '']);
      expect([...response.headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
    },
  );

  it.each(PATHS)('still responds to GET and HEAD %s', async (path) => {
    for (const method of ['GET', 'HEAD']) expect((await send(path, method)).status).toBe(200);
  });

  describe.each(['/assets', '/docs/assets', '/graphql/graphiql'])('an unknown file in %s', (folder) => {
    const path = `${folder}/version/name`;

    it.each(['GET', 'HEAD', 'OPTIONS', 'POST', 'DELETE'])('is an unknown path for %s', async (method) => {
      const { key } = await service.organization();
      expect((await send(path, method)).status).toBe(401);
      const response = await send(path, method, { 'X-Api-Key': key });
      expect([response.status, response.headers.has('x-ratelimit-limit')]).toEqual([404, true]);
    });
  });

  it('requires a key for other methods of a page that is disabled', async () => {
    const response = await service.app.fetch(new Request('http://service.test/docs', { method: 'DELETE' }));
    expect(response.status).toBe(401);
  });
});
