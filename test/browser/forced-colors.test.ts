import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { onOneStore } from '../support/service.ts';
import { onDeveloperPages } from './support/developer-browser.ts';

/** What is current on a page: its text, and the contrast of its text with the background behind it. */
function contrasts(page: Page): Promise<[string, number][]> {
  return page.locator('[aria-current]:not([aria-current="false"])').evaluateAll((elements) => {
    const channels = (color: string) => (color.match(/[\d.]+/g) ?? []).map(Number);
    const luminance = (color: string) => {
      const [r = 0, g = 0, b = 0] = channels(color).map((value) => {
        const part = value / 255;
        return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const background = (element: Element | null): string => {
      if (!element) return 'rgb(255, 255, 255)';
      const { backgroundColor } = getComputedStyle(element);
      return channels(backgroundColor)[3] === 0 ? background(element.parentElement) : backgroundColor;
    };
    return elements
      .filter((element) => element.checkVisibility())
      .flatMap((element) => [element, ...element.querySelectorAll('*')])
      .map((element) => {
        const pair = [luminance(getComputedStyle(element).color), luminance(background(element))];
        const ratio = (Math.max(...pair) + 0.05) / (Math.min(...pair) + 0.05);
        return [element.textContent ?? '', ratio] as [string, number];
      });
  });
}

onOneStore((service) => {
  onDeveloperPages(service, (site) => {
    it.each(['light', 'dark'] as const)(
      'with %s forced colors, what is current is readable on every page',
      async (colorScheme) => {
        const { page, place } = await site.openKeys({ forcedColors: 'active', colorScheme });
        const below = ['', '/new-key?preset=all', '/history', '/administrators', '/settings'].map(
          (path) => place + path,
        );
        for (const path of [
          ...below,
          '/developer/account',
          '/docs#listMembers',
          '/docs/graphql',
          '/docs/search?q=tag',
          '/graphql',
        ]) {
          await page.goto(site.address + path);
          if (path.startsWith('/docs#')) await page.locator('.contents [aria-current]').first().waitFor();
          const found = await contrasts(page);
          expect([path, found.length > 0, found.filter(([, ratio]) => ratio < 4.5)]).toEqual([path, true, []]);
        }
      },
    );
  });
});
