import { expect, it } from 'vitest';
import type { App } from '../../src/app.ts';
import { createStartingApp } from '../../src/server/starting-app.ts';
import { barriers } from '../support/browser/axe.ts';
import { inBrowser } from '../support/browser/browser.ts';
import { onOneStore } from '../support/service.ts';

const LOOKS = [1280, 390].flatMap((width) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ width, colorScheme })),
);

onOneStore((service) => {
  let app: App;
  inBrowser(
    () => ({ fetch: (request, connection) => app.fetch(request, connection) }),
    (visited) => {
      const open = async (path: string) => {
        const context = await visited.browser.newContext({ reducedMotion: 'reduce' });
        const page = await context.newPage();
        page.setDefaultTimeout(60_000);
        return { page, response: await page.goto(visited.address + path) };
      };

      it.each([
        [404, '/nowhere', 'Not found', () => service.app],
        [401, '/v1/members', 'An API key is needed', () => service.app],
        [503, '/developer', 'The service is starting', () => createStartingApp(120)],
      ] as const)('shows an accessible page for %i', async (status, path, title, appOf) => {
        app = appOf();
        const { page, response } = await open(path);
        expect(response?.status()).toBe(status);
        expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(title);
        for (const { width, colorScheme } of LOOKS) {
          await page.setViewportSize({ width, height: 800 });
          await page.emulateMedia({ colorScheme });
          expect(await barriers(page)).toEqual([]);
        }
        await page.context().close();
      });

      it('reloads the page of a starting service until it is ready', async () => {
        app = createStartingApp(120);
        const { page } = await open('/');
        await page.getByRole('heading', { name: 'The service is starting' }).waitFor();
        app = service.app;
        await page.getByRole('heading', { name: 'Community records by REST and GraphQL' }).waitFor();
        expect(page.url()).toBe(`${visited.address}/`);
        await page.context().close();
      });

      it('has an icon for responses that are not pages', async () => {
        app = service.app;
        const { page } = await open('/nowhere');
        const width = await page.evaluate(async () => {
          const icon = new Image();
          icon.src = '/favicon.ico';
          await icon.decode();
          return icon.naturalWidth;
        });
        expect(width).toBeGreaterThan(0);
        await page.context().close();
      });
    },
  );
});
