import type { Browser, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { onOneStore } from '../support/service.ts';
import { barriersInEachLook } from './support/axe.ts';
import { inBrowser } from './support/browser.ts';

const KEY = 'cms_of-the-demo';

onOneStore((service) => {
  inBrowser(
    () => service.appWith({ graphiql: { demoKey: KEY } }),
    (visited) => {
      const outside: string[] = [];

      const open = async (options: Parameters<Browser['newContext']>[0]): Promise<Page> => {
        const context = await visited.browser.newContext({
          permissions: ['clipboard-read', 'clipboard-write'],
          ...options,
        });
        const opened = await context.newPage();
        opened.setDefaultTimeout(60_000);
        opened.on('request', (request) => {
          if (!request.url().startsWith(visited.address)) outside.push(request.url());
        });
        await opened.goto(visited.address);
        return opened;
      };

      it('is accessible without horizontal scrolling, in two widths and color schemes', async () => {
        const opened = await open({});
        expect(await barriersInEachLook(opened)).toEqual([]);
        await opened.context().close();
      });

      it('fits a screen of 320 pixels', async () => {
        const opened = await open({ viewport: { width: 320, height: 640 } });
        expect(await opened.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
        await opened.context().close();
      });

      it('copies the request', async () => {
        const opened = await open({});
        await opened.getByRole('button', { name: 'Copy the request' }).press('Enter');
        await opened.getByText('Copied').waitFor();
        expect(await opened.evaluate(() => navigator.clipboard.readText())).toMatch(/^curl -H 'X-Api-Key: .*limit=2'$/);
        await opened.context().close();
      });

      it('shows the request without JavaScript', async () => {
        const opened = await open({ javaScriptEnabled: false });
        expect(await opened.getByText('curl -H').isVisible()).toBe(true);
        expect(await opened.getByRole('button').count()).toBe(0);
        await opened.context().close();
      });

      it('loads no external resources', () => {
        expect(outside).toEqual([]);
      });
    },
  );
});
