import { expect, it } from 'vitest';
import type { App } from '../../src/app.ts';
import { sessionCookie } from '../../src/developer/cookies.ts';
import { createOperatorLink } from '../../src/domain/accounts/operator.ts';
import { createStartingApp } from '../../src/server/starting-app.ts';
import { appOn, intercepted } from '../support/apps.ts';
import { onOneStore } from '../support/service.ts';
import { barriersInEachLook } from './support/axe.ts';
import { inBrowser } from './support/browser.ts';

onOneStore((service) => {
  let app: App;
  let broken: App | undefined;
  const withoutStore = () => {
    const prisma = intercepted(service.store.prisma, () => {
      throw Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    });
    broken = appOn(service, { prisma, developer: { operatorPassword: undefined } });
    return broken;
  };
  /** Of a service whose operator has not set a password yet. */
  const withoutPassword = () => service.appWith({ developer: { operatorPassword: undefined } });
  const operatorLink = async () => `/developer/set-password?token=${await createOperatorLink(service.store)}`;
  inBrowser(
    () => ({ fetch: (request, connection) => app.fetch(request, connection) }),
    (visited) => {
      const open = async (path: string) => {
        const page = await visited.open('about:blank');
        // The session cookie leads to the store, by its valid signature.
        const value = sessionCookie(service.store.appSecret, `o${'A'.repeat(43)}`);
        if (app === broken) await page.context().addCookies([{ name: 'cms_session', value, url: visited.address }]);
        return { page, response: await page.goto(visited.address + path) };
      };

      it.each([
        ['Not found', 404, '/nowhere', () => service.app],
        ['An API key is needed', 401, '/v1/members', () => service.app],
        ['Not found', 404, '/members', () => service.app],
        ['The service is starting', 503, '/developer', () => createStartingApp(120)],
        ['Temporarily unavailable', 503, '/developer', withoutStore],
        ['This link is no longer valid', 404, '/developer/set-password?token=x', withoutPassword],
        ['Sign in to the developer pages', 200, '/developer/sign-in', withoutPassword],
        ['Set your password', 200, operatorLink, withoutPassword],
      ] as const)('shows the accessible page “%s” with status %i', async (title, status, path, appOf) => {
        app = appOf();
        const { page, response } = await open(typeof path === 'string' ? path : await path());
        expect(response?.status()).toBe(status);
        expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(title);
        expect(await barriersInEachLook(page)).toEqual([]);
      });

      it('reloads the page of a starting service until it is ready', async () => {
        app = createStartingApp(120);
        const { page } = await open('/');
        await page.getByRole('heading', { name: 'The service is starting' }).waitFor();
        app = service.app;
        await page.getByRole('heading', { name: 'Community records through REST and GraphQL' }).waitFor();
        expect(page.url()).toBe(`${visited.address}/`);
      });
    },
  );
});
