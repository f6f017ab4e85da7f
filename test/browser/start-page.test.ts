import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { onOneStore } from '../support/service.ts';
import { barriersInEachLook } from './support/axe.ts';
import { inBrowser } from './support/browser.ts';

const KEY = 'cms_of-the-demo';

onOneStore((service) => {
  inBrowser(
    () => service.appWith({ graphiql: { demoKey: KEY } }),
    (visited) => {
      const open = async (): Promise<Page> => {
        const context = await visited.browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
        const opened = await context.newPage();
        opened.setDefaultTimeout(60_000);
        await opened.goto(visited.address);
        return opened;
      };

      it('is accessible without horizontal scrolling, in two widths and color schemes', async () => {
        const opened = await open();
        expect(await barriersInEachLook(opened)).toEqual([]);
        await opened.context().close();
      });

      it('copies the request', async () => {
        const opened = await open();
        await opened.getByRole('button', { name: 'Copy the request' }).press('Enter');
        await opened.getByText('Copied').waitFor();
        expect(await opened.evaluate(() => navigator.clipboard.readText())).toMatch(
          /^curl -H 'X-Api-Key: .*@example.org'$/,
        );
        await opened.context().close();
      });
    },
  );
});
