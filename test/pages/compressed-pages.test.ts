import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import type { App } from '../../src/app.ts';
import { makeKey } from '../support/browser/developer-pages.ts';
import { developerApp, newAdministrator, signedIn, type Visitor } from '../support/browser/visitor.ts';
import { onOneStore } from '../support/service.ts';

const MAX_START_PAGE_BYTES = 8_000;
const MAX_KEYS_BYTES = 10_000;
const MAX_WARM_BYTES = 5_000;

/** The status line, and the headers that the HTTP server adds: date, length, connection. */
const SERVER_HEADER_BYTES = 150;

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
  /** The bytes of a response, with its headers. */
  const sent = async (path: string) => {
    const response = await get(path, { 'Accept-Encoding': 'gzip, br', 'Sec-Fetch-Site': 'none' });
    expect(response.status).toBe(200);
    const headers = [...response.headers].map(([name, value]) => `${name}: ${value}\r\n`).join('');
    return (await response.arrayBuffer()).byteLength + headers.length + SERVER_HEADER_BYTES;
  };

  it.each([
    ['the start page', () => '/', MAX_START_PAGE_BYTES],
    ['the list of keys', () => place, MAX_KEYS_BYTES],
  ])('transfers %s and its files within the size limit', async (_, path, maximum) => {
    const page = await (await get(path(), {})).text();
    const files = new Set([...page.matchAll(/(?:src|href)="(\/[^"#]+\.(?:css|js|svg))"/g)].map(([, file]) => file));
    const sizes = await Promise.all([path(), ...(files as Set<string>)].map(sent));
    expect(sizes.length).toBeGreaterThan(3);
    expect(sizes[0]).toBeLessThanOrEqual(MAX_WARM_BYTES);
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(maximum);
  });

  describe('a page', () => {
    it.each(['same-origin', 'none'])('is compressed for a request with Sec-Fetch-Site: %s', async (site) => {
      const headers = { 'Accept-Encoding': 'gzip', 'Sec-Fetch-Site': site };
      const response = await get(place, headers);
      expect(response.headers.get('content-encoding')).toBe('gzip');
      expect(gunzipSync(await response.arrayBuffer()).toString()).toContain('<h1>API keys</h1>');
    });

    it.each([{ 'Sec-Fetch-Site': 'cross-site' }, { 'Sec-Fetch-Site': 'same-site' }, {}])(
      'is not compressed for a request with %j, as its length could reveal its content to another site',
      async (headers) => {
        const response = await get(place, { 'Accept-Encoding': 'gzip, br', ...headers });
        expect(response.headers.get('content-encoding')).toBeNull();
        expect(await response.text()).toContain('<h1>API keys</h1>');
      },
    );
  });
});
