import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { onOneStore } from '../support/service.ts';
import { barriersInEachLook } from './support/axe.ts';
import { inBrowser } from './support/browser.ts';

const WITHOUT_JAVASCRIPT = { javaScriptEnabled: false };

onOneStore((service) => {
  const appOf = () => service.appWith({ docs: { demoKey: undefined } });
  inBrowser(appOf, (visited) => {
    const field = (page: Page) => page.getByLabel('Search the reference');
    const links = (page: Page) => page.locator('.contents :is(ul ul, .hits) a:visible').allTextContents();
    const found = (page: Page, text: string) => expect.poll(() => page.locator('#found').textContent()).toBe(text);

    it.each([
      ['/docs', 'head_of_department', 'Department object', '#Department'],
      ['/docs/graphql', 'ignoredTagIds', 'UpdateMemberTagsPayload', '#type-UpdateMemberTagsPayload'],
    ])('finds a field in %s without JavaScript, with the keyboard only', async (path, query, title, hash) => {
      const page = await visited.open(path, WITHOUT_JAVASCRIPT);
      const focused = () => page.evaluate(() => document.activeElement?.textContent);
      const isOnField = () => field(page).evaluate((input) => input === document.activeElement);
      for (let n = 0; n < 20 && !(await isOnField()); n++) await page.keyboard.press('Tab');
      await page.keyboard.type(query);
      await page.keyboard.press('Enter');
      await page.waitForURL(`**${path}/search?q=${query}`);
      expect(await field(page).inputValue()).toBe(query);
      for (let n = 0; n < 20 && (await focused()) !== title; n++) await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.waitForURL(`**${path}${hash}`);
      const { y = -1 } = (await page.locator(`${hash} h3`).boundingBox()) ?? {};
      expect(y).toBeGreaterThanOrEqual(0);
      expect(y).toBeLessThan(400);
    });

    it.each([
      ['/docs/search?q=member', 'Create a member'],
      ['/docs/graphql/search?q=xylophone', 'does not contain'],
    ])('shows accessible results at %s that fit the screen', async (path, text) => {
      const page = await visited.open(path);
      expect(await page.locator('main').textContent()).toContain(text);
      expect(await barriersInEachLook(page)).toEqual([]);
    });

    it('shows with JavaScript the sections that match and why, and opens the best match', async () => {
      const page = await visited.open('/docs');
      const all = await links(page);
      expect(all.length).toBeGreaterThan(20);
      await field(page).fill('ignored assignable PATCH');
      await found(page, '1 found');
      expect(await links(page)).toEqual(['Add and remove tags of a member']);
      expect(await page.locator('.hits mark').allTextContents()).toContain('assignable');
      await field(page).fill('list tags');
      await expect.poll(() => page.locator('#found').textContent()).not.toBe('1 found');
      expect((await links(page))[0]).toBe('List tags');
      await page.keyboard.press('Enter');
      await page.waitForURL('**/docs#listTags');
      await field(page).fill('tags xylophone');
      await found(page, 'Nothing found. Try fewer words or a part of a word, or search the GraphQL API reference.');
      const other = page.locator('#found a');
      expect(await other.getAttribute('href')).toBe('/docs/graphql/search?q=tags+xylophone');
      expect(await links(page)).toEqual([]);
      await field(page).fill('');
      await found(page, '');
      await expect.poll(() => links(page)).toEqual(all);
    });

    it('is reached by / and Ctrl+K, also on a narrow screen, and does not take a / from other fields', async () => {
      const page = await visited.open('/docs', { viewport: { width: 390, height: 740 } });
      const isFocused = () => field(page).evaluate((input) => input === document.activeElement);
      await page.getByLabel('API key', { exact: true }).press('/');
      expect([await page.getByLabel('API key', { exact: true }).inputValue(), await isFocused()]).toEqual(['/', false]);
      await page.keyboard.press('Control+k');
      expect(await isFocused()).toBe(true);
      await page.locator('h1').click();
      await page.keyboard.press('/');
      expect([await isFocused(), await field(page).inputValue()]).toEqual([true, '']);
    });

    it('logs no errors, such as violations of the content security policy', () => {
      expect(visited.faults).toEqual([]);
    });
  });
});
