import { expect, it } from 'vitest';
import { createApiKey } from '../../../src/domain/admin/api-key.ts';
import { sql } from '../../../src/store/sql.ts';
import { heading, onDeveloperPages } from '../../support/browser/developer-browser.ts';
import { addFailedRequests, addUnusedScope } from '../../support/browser/developer-pages.ts';
import { onOneStore } from '../../support/service.ts';

onOneStore((service) => {
  onDeveloperPages(service, (developer) => {
    const openKeys = async () => {
      const opened = await developer.openKeys({ reducedMotion: 'reduce' });
      const { organization_id } = opened.administrator;
      const newKey = async (name: string, expires_in_days: 90 | 30, points: number) => {
        const input = { organization_id, name, scopes: ['tags.view'], expires_in_days };
        const { id } = await createApiKey(service.store, input, 'test');
        await service.store.db.rows(sql`
          INSERT INTO api_key_usage (api_key_id, day, units) VALUES (${id}, (now() AT TIME ZONE 'UTC')::date, ${points})`);
        return id;
      };
      return { ...opened, newKey };
    };

    it('draws the charts of all keys on one scale with a unit, and marks a key that expires soon', async () => {
      const { page, newKey } = await openKeys();
      const soon = await newKey('Soon', 30, 1_000);
      await newKey('Later', 90, 500);
      await service.store.db.rows(sql`UPDATE api_key SET expires_at = now() + interval '3 days' WHERE id = ${soon}`);
      await page.reload();
      await page
        .getByText('points per day of the last 14 days (UTC), all on the same scale: the highest bar is 1,000')
        .waitFor();
      const rows = page.locator('.key');
      const heights = await rows
        .locator('.usage .today')
        .evaluateAll((bars) => bars.map((bar) => (bar as SVGPathElement).getBBox().height));
      expect(heights).toEqual([16, 32]);
      const badges = await rows.getByRole('heading').evaluateAll((all) => all.map(({ textContent }) => textContent));
      expect(badges).toEqual(['Later active', 'Soon active expires soon']);
    });

    it('shows on the page of a key its usage with axes, limit, failed requests, and unused scopes', async () => {
      const { page, place, newKey } = await openKeys();
      const id = await newKey('Website', 90, 1_200);
      await addFailedRequests(service, id);
      await addUnusedScope(service, id);
      await page.goto(`${developer.address}${place}/keys/${id}`);
      const axes = page.locator('.chart');
      for (const label of ['1,200', '0', 'Today']) {
        expect(await axes.getByText(label, { exact: true }).isVisible()).toBe(true);
      }
      const facts = await page.locator('.chart + .facts').textContent();
      expect(facts?.replaceAll(/\s+/g, ' ').trim()).toMatch(
        /^Today ?1,200 points Last 14 days ?1,200 points Rate limit ?[\d,]+ points\/minute Failed requests ?3 in 7 days$/,
      );
      expect(await page.locator('tbody td:nth-child(4)').allTextContents()).toEqual(['403', '404', '403']);
      const unused = page.getByRole('listitem').filter({ hasText: 'unused' });
      expect(await unused.textContent()).toContain('events.view');
    });

    it('lists the history newest first', async () => {
      const { page, newKey } = await openKeys();
      await newKey('First', 90, 1);
      await newKey('Second', 90, 1);
      await page.getByRole('link', { name: 'History of all keys' }).click();
      await heading(page, 'History of API keys');
      expect(await page.locator('.rows > li a').allTextContents()).toEqual(['Second', 'First']);
    });
  });
});
