import { expect, it } from 'vitest';
import { onOneStore } from '../../support/service.ts';
import { barriersInEachLook } from '../support/axe.ts';
import { onDeveloperPages } from '../support/developer-browser.ts';

onOneStore((service) => {
  onDeveloperPages(service, (site) => {
    it.each([true, false])(
      'a refused form has the focus on its problems, which lead to the fields (JavaScript: %s)',
      async (javaScriptEnabled) => {
        const { page, place } = await site.openKeys({ javaScriptEnabled });
        await page.goto(`${site.address}${place}/new-key`);
        await page.getByRole('button', { name: 'Create the key' }).click();
        const summary = page.getByRole('alert');
        await summary.waitFor();
        expect(await page.title()).toMatch(/^Error: Create an API key/);
        expect(await summary.evaluate((element) => element === document.activeElement)).toBe(true);
        const [box, title] = await Promise.all([summary, page.locator('h1')].map((element) => element.boundingBox()));
        // The outline of the focus is between them.
        expect((title?.y ?? 0) - ((box?.y ?? 0) + (box?.height ?? 0))).toBeGreaterThanOrEqual(12);
        await summary.getByRole('link', { name: /^Scopes / }).press('Enter');
        expect(await page.evaluate(() => document.activeElement?.id)).toBe('scopes');
        if (javaScriptEnabled) expect(await barriersInEachLook(page)).toEqual([]);
      },
    );

    it('does the same for a refused sign-in', async () => {
      const page = await site.open('/developer/sign-in');
      await page.getByLabel('Email address').fill('nobody@example.org');
      await page.getByLabel('Password').fill('wrong password');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('alert').getByText('Email or password is incorrect').waitFor();
      expect(await page.title()).toMatch(/^Error: Sign in/);
      expect(await page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('alert');
    });
  });
});
