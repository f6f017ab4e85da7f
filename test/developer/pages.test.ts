import { describe, expect, it } from 'vitest';
import { openAdminPagesWithKey } from '../support/developer/developer-pages.ts';
import { developerApp, onDeveloperApp, signedIn, visitor } from '../support/developer/visitor.ts';

onDeveloperApp((service, app) => {
  const openPages = () => openAdminPagesWithKey(service, app);

  describe('a page', () => {
    it('is not cached, loads nothing external, and cannot be framed', async () => {
      const { own, place, key } = await openPages();
      const paths = [place, '/history', '/new-key', `/keys/${key.id}`, `/keys/${key.id}/revoke`].map((path, n) =>
        n === 0 ? path : place + path,
      );
      for (const path of [...paths, '/developer/sign-in', '/developer/nothing']) {
        const { headers, text } = await own.get(path);
        expect(headers.get('cache-control')).toBe('no-store');
        const policy = headers.get('content-security-policy') ?? '';
        expect(policy).toContain("default-src 'none'");
        expect(policy).toContain("frame-ancestors 'none'");
        expect(policy).not.toContain('unsafe');
        expect(text).not.toMatch(/<script(?![^>]+src=)|<style| style=| on\w+=/);
        expect(text).not.toMatch(/(?:src|href|action)="(?!\/[^/]|#)/);
        expect(headers.get('x-ratelimit-limit')).toBeNull();
      }
    });

    it('has the same navigation as all other pages, for every visitor', async () => {
      const all = developerApp(service, { docs: { demoKey: undefined }, graphiql: { demoKey: undefined } });
      const { administrator, place } = await openPages();
      const headers = [];
      for (const own of [visitor(all), await signedIn(service, all, administrator)]) {
        for (const path of [
          '/',
          '/docs',
          '/docs/graphql',
          '/graphql',
          place,
          '/developer/sign-in',
          '/developer/account',
        ]) {
          const { text } = await own.get(path, { Accept: 'text/html' });
          if (text !== '') headers.push(/<header.*<\/header>/s.exec(text)?.[0].replace(' aria-current="true"', ''));
        }
      }
      expect(headers).toHaveLength(12);
      expect(new Set(headers).size).toBe(1);
      expect(headers[0]).toContain('<a href="/developer/account">Account</a>');
    });

    it('responds to other methods with Allow', async () => {
      const { own, place, key } = await openPages();
      const allowed = {
        '/developer': 'GET, HEAD, POST, OPTIONS',
        '/developer/sign-in': 'GET, HEAD, POST, OPTIONS',
        '/developer/sign-out': 'POST, OPTIONS',
        [place]: 'GET, HEAD, POST, OPTIONS',
        [`${place}/history`]: 'GET, HEAD, OPTIONS',
        [`${place}/new-key`]: 'GET, HEAD, POST, OPTIONS',
        [`${place}/keys/${key.id}/revoke`]: 'GET, HEAD, POST, OPTIONS',
      };
      for (const [path, allow] of Object.entries(allowed)) {
        for (const method of ['PUT', 'DELETE', 'PATCH', ...['GET', 'POST'].filter((one) => !allow.includes(one))]) {
          const { status, headers } = await own.request(method, path, { headers: { Origin: 'http://service.test' } });
          expect([path, method, status, headers.get('allow')]).toEqual([path, method, 405, allow]);
        }
        const { status, headers } = await own.request('OPTIONS', path);
        expect([path, status, headers.get('allow')]).toEqual([path, 204, allow]);
      }
    });

    it.each([
      '/nothing/at/all',
      '/%00',
      '/org_%00/keys/%ff',
      '/assets/x/y',
      `/${'x'.repeat(5_000)}`,
      '/a/keys',
      '/__proto__',
    ])('that does not exist is an HTML 404: %s', async (path) => {
      const own = await signedIn(service, app, undefined);
      const { status, text } = await own.get(`/developer${path}`);
      expect([status, text.includes('Not found')]).toEqual([404, true]);
    });

    it('is not served when the pages are disabled', async () => {
      const off = visitor(service.appWith({}));
      for (const path of ['/developer', '/developer/sign-in']) {
        const { status, json } = await off.get(path);
        expect([status, json.error.code]).toEqual([401, 'missing_api_key']);
      }
      expect((await off.get('/')).text).not.toContain('/developer');
      expect((await visitor(app).get('/')).text).toContain('href="/developer"');
    });
  });
});
