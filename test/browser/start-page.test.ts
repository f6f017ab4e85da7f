import { expect, it } from 'vitest';
import { onOneStore } from '../support/service.ts';
import { barriersInEachLook } from './support/axe.ts';
import { inBrowser } from './support/browser.ts';

const KEY = 'cms_of-the-demo';

onOneStore((service) => {
  inBrowser(
    () => service.appWith({ graphiql: { demoKey: KEY } }),
    (visited) => {
      it('is accessible without horizontal scrolling, in two widths and color schemes', async () => {
        const opened = await visited.open('/');
        expect(await barriersInEachLook(opened)).toEqual([]);
      });

      it('copies the request', async () => {
        const opened = await visited.open('/');
        await opened.getByRole('button', { name: 'Copy the request' }).press('Enter');
        await opened.getByText('Copied').waitFor();
        expect(await opened.evaluate(() => navigator.clipboard.readText())).toMatch(
          /^curl -H 'X-Api-Key: .*@example.org'$/,
        );
      });
    },
  );
});
