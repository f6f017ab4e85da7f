import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { newAdministrator, OPERATOR_PASSWORD, signedIn } from '../support/developer/visitor.ts';
import { onOneStore, type TestOrganization } from '../support/service.ts';
import { inBrowser } from './support/browser.ts';
import { createManyKeys } from './support/many-keys.ts';

const MAX_WARM_BYTES = 5_000;

onOneStore((service) => {
  let demo: TestOrganization;
  let keys: { readonly path: string; readonly cookie: string };
  const appOf = async () => {
    demo = await service.organization();
    const demoKey = demo.key;
    const app = service.appWith({
      docs: { demoKey },
      graphiql: { demoKey },
      developer: { operatorPassword: OPERATOR_PASSWORD },
      trustProxy: 1,
    });
    const administrator = await newAdministrator(service);
    await createManyKeys(service, administrator.organization_id);
    const { cookie = '' } = await signedIn(service, app, administrator);
    keys = { path: `/developer/organizations/${administrator.organization_id}`, cookie };
    return app;
  };
  inBrowser(appOf, (visited) => {
    /** The bytes of all responses of a visit, with their headers. */
    const transferred = async (page: Page, path: string): Promise<number> => {
      const session = await page.context().newCDPSession(page);
      await session.send('Network.enable');
      let bytes = 0;
      session.on('Network.loadingFinished', ({ encodedDataLength }) => {
        bytes += encodedDataLength;
      });
      await page.goto(visited.address + path, { waitUntil: 'networkidle' });
      await session.detach();
      return bytes;
    };

    it.each([
      ['the start page', () => '/', 8_000],
      ['the REST reference', () => '/docs', 60_000],
      ['the GraphQL reference', () => '/docs/graphql', 60_000],
      ['the OpenAPI document', () => '/openapi.json', 30_000],
      ['the list of 60 keys', () => keys.path, 10_000],
    ])('transfers %s within the size limit, and little on the next visit', async (_, path, maximum) => {
      const context = await visited.browser.newContext({ viewport: { width: 1280, height: 800 } });
      const [name = '', value = ''] = keys.cookie.split('=');
      await context.addCookies([{ name, value, url: visited.address }]);
      const page = await context.newPage();
      const cold = await transferred(page, path());
      expect(cold).toBeGreaterThan(1_000);
      expect(cold).toBeLessThanOrEqual(maximum);
      await page.goto('about:blank');
      const warm = await transferred(page, path());
      expect(warm).toBeLessThanOrEqual(MAX_WARM_BYTES);
      await context.close();
    });
  });
});
