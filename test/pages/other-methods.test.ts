import { expect, it } from 'vitest';
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
  '/docs/search.json',
  '/docs/graphql',
  '/docs/graphql/search',
];

const FOLDERS = ['/assets', '/docs/assets', '/developer/assets', '/graphql/graphiql'];

const ALLOW = 'GET, HEAD, OPTIONS';

onOneStore((service) => {
  const send = (path: string, method: string, headers = {}) =>
    service
      .appWith({ docs: { demoKey: undefined }, graphiql: { demoKey: undefined }, developer: { operatorPassword: '' } })
      .fetch(new Request(`http://service.test${path}`, { method, headers }));

  it.each([...PATHS, ...FOLDERS.map((folder) => `${folder}/version/name`)])(
    'responds to other methods of %s with 405 and Allow, without a key',
    async (path) => {
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
        const response = await send(path, method, { Origin: 'http://service.test' });
        expect([response.status, response.headers.get('allow')]).toEqual([405, ALLOW]);
        expect(response.headers.get('x-request-id')).toMatch(/./);
        expect(await response.json()).toEqual({
          error: { code: 'method_not_allowed', message: `This path supports ${ALLOW}` },
        });
      }
    },
  );

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

  it.each(['/assets', '/docs/assets'])('treats an unknown file in %s as an unknown path', async (folder) => {
    const { key } = await service.organization();
    const response = await send(`${folder}/version/name`, 'GET', { 'X-Api-Key': key });
    expect([response.status, await response.json()]).toMatchObject([404, { error: { code: 'not_found' } }]);
  });

  it('requires a key for other methods of a page that is disabled', async () => {
    const response = await service.app.fetch(new Request('http://service.test/docs', { method: 'DELETE' }));
    expect(response.status).toBe(401);
  });
});
