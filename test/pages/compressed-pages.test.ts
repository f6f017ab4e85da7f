import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import type { App } from '../../src/app.ts';
import { makeKey } from '../support/developer/developer-pages.ts';
import { developerApp, newAdministrator, signedIn, type Visitor } from '../support/developer/visitor.ts';
import { onOneStore } from '../support/service.ts';

onOneStore((service) => {
  let app: App;
  let own: Visitor;
  let place: string;
  beforeAll(async () => {
    app = developerApp(service, { docs: { demoKey: undefined }, graphiql: { demoKey: undefined } });
    const administrator = await newAdministrator(service);
    own = await signedIn(service, app, administrator);
    place = `/developer/organizations/${administrator.organization_id}`;
    await makeKey({ own, place });
  });

  const get = (path: string, headers: Record<string, string>) =>
    app.fetch(
      new Request(`http://service.test${path}`, {
        headers: { 'X-Forwarded-Host': 'service.test', Cookie: own.cookie ?? '', ...headers },
      }),
      { incoming: { socket: { remoteAddress: '127.0.0.1' } } },
    );

  describe('a page', () => {
    it.each(['same-origin', 'none'])('is compressed for a request with Sec-Fetch-Site: %s', async (site) => {
      const headers = { 'Accept-Encoding': 'gzip', 'Sec-Fetch-Site': site };
      const response = await get(place, headers);
      expect(response.headers.get('content-encoding')).toBe('gzip');
      expect(gunzipSync(await response.arrayBuffer()).toString()).toContain('API keys</h1>');
    });

    it.each([{ 'Sec-Fetch-Site': 'cross-site' }, { 'Sec-Fetch-Site': 'same-site' }, {}])(
      'is not compressed for a request with %j, as its length could reveal its content to another site',
      async (headers) => {
        const response = await get(place, { 'Accept-Encoding': 'gzip, br', ...headers });
        expect(response.headers.get('content-encoding')).toBeNull();
        expect(await response.text()).toContain('API keys</h1>');
      },
    );
  });
});
