import { expect, it } from 'vitest';
import { onOneStore } from '../support/service.ts';
import { onDeveloperPages } from './support/developer-browser.ts';

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
