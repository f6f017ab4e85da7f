import { expect, it } from 'vitest';
import { onOneStore } from '../../support/service.ts';
import { barriers } from '../support/axe.ts';
import { onGraphiql } from '../support/graphiql.ts';

onOneStore((service) => {
  onGraphiql(service, { height: 900 }, (graphiql) => {
    const visit = async (media: { colorScheme?: 'light' | 'dark'; forcedColors?: 'active' }) => {
      const page = await graphiql.newPage();
      await page.emulateMedia({ reducedMotion: 'reduce', ...media });
      await page.goto(`${graphiql.address}/graphql`);
      await page.locator('.explain-bar dl').waitFor();
      return page;
    };

    it.each([
      ['Open settings dialog', 'light'],
      ['Open short keys dialog', 'dark'],
    ] as const)('draws the icon of the button that closes a dialog: %s, %s', async (opener, colorScheme) => {
      const page = await visit({ colorScheme });
      await page.getByRole('button', { name: opener }).click();
      const icon = page.locator('.graphiql-dialog-close > svg path').first();
      const { width = 0, height = 0 } = (await icon.boundingBox()) ?? {};
      expect(Math.min(width, height)).toBeGreaterThan(8);
      expect(await barriers(page)).toEqual([]);
    });

    it('fills the window, and cannot be scrolled', async () => {
      const page = await visit({});
      for (const box of ['html', '.graphiql-container']) {
        await page.locator(box).evaluate((element) => element.scrollTo(0, 10_000));
        expect([box, await page.locator(box).evaluate(({ scrollTop }) => scrollTop)]).toEqual([box, 0]);
      }
    });

    it('shows Run and marks the active tab with forced colors', async () => {
      const page = await visit({ forcedColors: 'active' });
      await page.locator('.graphiql-tab-add').click();
      const styleOf = (selector: string, property: 'color' | 'backgroundColor') =>
        page
          .locator(selector)
          .first()
          .evaluate((element, property) => getComputedStyle(element)[property], property);
      const run = '.graphiql-execute-button';
      expect(await styleOf(`${run} > svg`, 'color')).not.toBe(await styleOf(run, 'backgroundColor'));
      const [active, other] = ['.graphiql-tab-active', '.graphiql-tab:not(.graphiql-tab-active)'] as const;
      expect(await styleOf(active, 'backgroundColor')).not.toBe(await styleOf(other, 'backgroundColor'));
    });
  });
});
