import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { createApiKey } from '../../../src/domain/admin/api-key.ts';
import { sql } from '../../../src/store/sql.ts';
import { newAdministrator } from '../../support/developer/visitor.ts';
import { onOneStore } from '../../support/service.ts';
import { onDeveloperPages } from '../support/developer-browser.ts';

const WIDTHS = [320, 390, 840, 1280];

onOneStore((service) => {
  onDeveloperPages(service, (developer) => {
    /** The list of keys with one key, and the path of its page. */
    const openKey = async () => {
      const { administrator, page, place } = await developer.openKeys();
      const { organization_id } = administrator;
      const input = { organization_id, name: 'Website', scopes: ['tags.view'], expires_in_days: null };
      const { id } = await createApiKey(service.store, input, 'test');
      await page.reload();
      return { administrator, page, place, keyPath: `${place}/keys/${id}` };
    };
    /** The elements in the header, by rows. */
    const headerRows = (page: Page) =>
      page.locator('.top .frame > *').evaluateAll((elements) => {
        const rows: { bottom: number; count: number }[] = [];
        for (const element of elements) {
          const { top, bottom } = element.getBoundingClientRect();
          const row = rows.find((one) => top < one.bottom);
          if (row) row.count += 1;
          else rows.push({ bottom, count: 1 });
        }
        return rows.map(({ count }) => count);
      });

    it('does not wrap the labels of buttons', async () => {
      const { page, place, keyPath } = await openKey();
      const wrapped: string[] = [];
      for (const path of [place, keyPath]) {
        await page.goto(developer.address + path);
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: 800 });
          const texts = await page.locator('.button').evaluateAll((buttons) =>
            buttons
              .filter(({ firstChild }) => {
                const range = document.createRange();
                range.selectNodeContents(firstChild as Node);
                return new Set([...range.getClientRects()].map(({ top }) => top)).size > 1;
              })
              .map(({ textContent }) => textContent),
          );
          wrapped.push(...texts.map((text) => `${path}, ${width} pixels: ${text}`));
        }
      }
      expect(wrapped).toEqual([]);
    });

    it('shows large numbers of points beside the buttons of a key, not below them', async () => {
      const { administrator, page } = await openKey();
      await service.store.db.rows(sql`
        INSERT INTO api_key_usage (api_key_id, day, units)
        SELECT id, (now() AT TIME ZONE 'UTC')::date, 1234567 FROM api_key
        WHERE organization_id = ${administrator.organization_id}`);
      await page.reload();
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 800 });
        const overlaps = await page.locator('.key .usage').evaluate((usage) => {
          const range = document.createRange();
          range.selectNodeContents(usage);
          const [text, buttons] = [range, usage.nextElementSibling as Element].map((one) =>
            one.getBoundingClientRect(),
          );
          return text && buttons && text.right > buttons.left && text.bottom > buttons.top;
        });
        expect([width, overlaps]).toEqual([width, false]);
      }
    });

    it.each(['DejaVu Sans', 'Liberation Sans'])(
      'has a header of two rows on a phone, and nothing in it is cut off, in %s',
      async (font) => {
        const place = `/developer/organizations/${(await newAdministrator(service)).organization_id}`;
        const options = { viewport: { width: 390, height: 844 }, bypassCSP: true };
        const page = await developer.openAs(undefined, place, options);
        await page.addStyleTag({ content: `body { font-family: "${font}" }` });
        expect(await headerRows(page)).toEqual([2, 1]);
        for (const name of ['Community Membership Service', 'REST', 'GraphQL', 'GraphiQL', 'API keys', 'Operator']) {
          const link = page.locator('.top').getByRole('link', { name, exact: true });
          expect(await link.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
        }
        const lines = await page.locator('.brand').evaluate((brand) => {
          const range = document.createRange();
          range.selectNodeContents(brand.lastChild as Node);
          return range.getClientRects().length;
        });
        expect(lines).toBe(2);
        const button = await page.getByRole('button', { name: 'Sign out' }).boundingBox();
        expect((button?.x ?? 0) + (button?.width ?? 0)).toBeLessThanOrEqual(390 - 16);
      },
    );

    it('has a header of one row on a wide screen, and two rows with a long name on a narrow one', async () => {
      const { administrator, page } = await developer.openKeys();
      await service.store.db.rows(sql`
        UPDATE administrator SET name = ${'Bartholomew Featherstonehaugh-Cholmondeley'} WHERE id = ${administrator.id}`);
      await page.reload();
      for (const [width, rows] of [
        [390, [2, 1]],
        [840, [2, 1]],
        [1280, [3]],
      ] as const) {
        await page.setViewportSize({ width, height: 800 });
        expect([width, await headerRows(page)]).toEqual([width, rows]);
      }
    });
  });
});
