import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { createApiKey } from '../../src/domain/admin/api-key.ts';
import { onOneStore } from '../support/service.ts';
import { onDeveloperPages } from './support/developer-browser.ts';

/** The words of headings that are broken, the pixels of the skip link that are seen, and those that the page is too wide. */
function lostWithLargeText(page: Page) {
  return page.evaluate(() => {
    document.documentElement.style.fontSize = '200%';
    const broken = [...document.querySelectorAll('.brand, h1')].flatMap(({ lastChild: text }) =>
      [...(text?.textContent ?? '').matchAll(/[\p{L}]+/gu)].flatMap(({ 0: word, index }) => {
        const range = document.createRange();
        range.setStart(text as Node, index);
        range.setEnd(text as Node, index + word.length);
        return range.getClientRects().length > 1 ? [word] : [];
      }),
    );
    const { bottom = 0 } = document.querySelector('.skip')?.getBoundingClientRect() ?? {};
    return { broken, skipLink: Math.max(0, bottom), excess: document.documentElement.scrollWidth - innerWidth };
  });
}

onOneStore((service) => {
  onDeveloperPages(service, (site) => {
    it.each(['/docs', '/docs/graphql'])('prints %s in the whole width of wide paper', async (path) => {
      const page = await site.open(path, { viewport: { width: 1280, height: 900 } });
      await page.emulateMedia({ media: 'print' });
      const { width = 0 } = (await page.locator('.content').boundingBox()) ?? {};
      expect(width).toBeGreaterThan(1_100);
      const cut = await page
        .locator('.reference pre')
        .evaluateAll(
          (samples) => samples.filter(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight + 1).length,
        );
      expect(cut).toBe(0);
    });

    it('breaks no word of a heading and shows nothing beside the page with text of 200 percent on a phone', async () => {
      const { page, place } = await site.openKeys({ viewport: { width: 360, height: 740 } });
      for (const path of [
        '/',
        place,
        `${place}/new-key`,
        `${place}/administrators`,
        '/developer/account',
        '/docs/search',
      ]) {
        await page.goto(site.address + path);
        expect([path, await lostWithLargeText(page)]).toEqual([path, { broken: [], skipLink: 0, excess: 0 }]);
      }
    });

    it('prints the values of a chart whole, and no buttons', async () => {
      const { page, place, administrator } = await site.openKeys();
      const input = { organization_id: administrator.organization_id, name: 'Website', expires_in_days: null };
      const { id } = await createApiKey(service.store, { ...input, scopes: ['tags.view'] }, 'test');
      await page.goto(`${site.address}${place}/keys/${id}?usage=year`);
      await page.locator('summary').click();
      await page.emulateMedia({ media: 'print' });
      const hidden = await page.locator('.scroll').evaluate((values) => values.scrollHeight - values.clientHeight);
      expect([hidden, await page.locator('.button').filter({ visible: true }).count()]).toEqual([0, 0]);
    });

    it('marks the chosen preset and the current page with forced colors', async () => {
      const { page, place } = await site.openKeys({ forcedColors: 'active' });
      await page.goto(`${site.address}${place}/new-key?preset=all`);
      for (const [current, other] of [
        ['.presets [aria-current]', '.presets a:not([aria-current])'],
        ['.top nav [aria-current]', '.top nav a:not([aria-current])'],
      ] as const) {
        const [one, another] = await Promise.all(
          [current, other].map((selector) =>
            page
              .locator(selector)
              .first()
              .evaluate((element) => getComputedStyle(element).backgroundColor),
          ),
        );
        expect([current, one === another]).toEqual([current, false]);
      }
    });
  });
});
