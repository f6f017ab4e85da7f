import { expect, it } from 'vitest';
import { onOneStore } from '../../support/service.ts';
import { barriersInEachLook } from '../support/axe.ts';
import { blockStorage } from '../support/browser.ts';
import { onGraphiql } from '../support/graphiql.ts';

onOneStore((service) => {
  onGraphiql(service, { height: 900 }, (graphiql) => {
    const visit = async () => {
      const page = await graphiql.newPage();
      await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
      await page.goto(`${graphiql.address}/graphql`);
      await page.locator('.explain-bar dl').waitFor();
      return page;
    };

    it('follows a change of the color scheme while it is open, in its editors too', async () => {
      const page = await visit();
      await page.locator('.monaco-editor.vs').first().waitFor();
      await page.emulateMedia({ colorScheme: 'dark' });
      await page.locator('.monaco-editor.vs-dark').first().waitFor();
    });

    it('is accessible without horizontal scrolling, in two widths and color schemes', async () => {
      const page = await visit();
      expect(await barriersInEachLook(page)).toEqual([]);
    });

    it('says that it needs storage if the browser blocks it', async () => {
      const page = await graphiql.newPage();
      await blockStorage(page);
      await page.goto(`${graphiql.address}/graphql`);
      await page.getByText('GraphiQL needs the storage of the browser').waitFor({ timeout: 10_000 });
    });

    it('leads by keyboard to its content, without another address or a reload, and back to the start page', async () => {
      const page = await visit();
      const address = page.url();
      await page.evaluate(() => Object.assign(globalThis, { isSamePage: true }));
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('MAIN');
      await expect.poll(() => page.url()).toBe(address);
      expect(await page.evaluate(() => 'isSamePage' in globalThis)).toBe(true);
      expect(await page.getByRole('heading', { level: 1 }).allTextContents()).toEqual(['GraphiQL']);
      await page.getByRole('link', { name: 'Community Membership Service' }).click();
      await page.getByRole('heading', { name: 'Community records through REST and GraphQL' }).waitFor();
    });
  });
});
