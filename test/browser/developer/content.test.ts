import { expect, it } from 'vitest';
import { createApiKey } from '../../../src/domain/admin/api-key.ts';
import { sql } from '../../../src/store/sql.ts';
import { addFailedRequests, addUnusedScope } from '../../support/developer/developer-pages.ts';
import { onOneStore } from '../../support/service.ts';
import { heading, onDeveloperPages, shownKey } from '../support/developer-browser.ts';

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
        /^Today ?1,200 points Last 14 days ?1,200 points Rate limit ?[\d,]+ points\/minute Refused and failed requests ?3 in 7 days$/,
      );
      expect(await page.locator('.scroll tbody td:nth-child(4)').allTextContents()).toEqual(['403', '200', '403']);
      const unused = page.getByRole('listitem').filter({ hasText: 'unused' });
      expect(await unused.textContent()).toContain('events.view');
    });

    it.each(['rotate', 'create'])('shows the new key when the button to %s it is double-clicked', async (action) => {
      const { page, place, newKey } = await openKeys();
      const path = action === 'rotate' ? `keys/${await newKey('Website', 90, 1)}/rotate` : 'new-key?preset=calendar';
      await page.goto(`${developer.address}${place}/${path}`);
      const button = page.locator('main form button');
      await button.scrollIntoViewIfNeeded();
      const { x = 0, y = 0 } = (await button.boundingBox()) ?? {};
      const click = () => page.mouse.click(x + 5, y + 5);
      let submissions = 0;
      await page.route('**', async (route) => {
        // The second click comes before the response to the first one.
        if (route.request().method() === 'POST' && ++submissions === 1) await click();
        await route.continue();
      });
      await click();
      expect(await shownKey(page)).toMatch(/^cms_/);
      expect(submissions).toBe(1);
    });

    it('sends a form again after the browser went back to it', async () => {
      const { page, place } = await openKeys();
      await page.goto(`${developer.address}${place}/settings`);
      for (const zone of ['Asia/Beirut', 'Europe/Berlin']) {
        await page.getByLabel('Time zone').fill(zone);
        await page.getByRole('button', { name: 'Save' }).click();
        await page.getByText('The settings were saved.').waitFor();
        expect(await page.getByLabel('Time zone').inputValue()).toBe(zone);
        if (zone === 'Asia/Beirut') await page.goBack();
      }
    });

    it('shows the state of a key after its name, even if the name changes the direction of text', async () => {
      const { page, place, newKey } = await openKeys();
      const id = await newKey('Website \u202Enoitcudorp', 90, 1);
      for (const path of ['', `/keys/${id}`]) {
        await page.goto(`${developer.address}${place}${path}`);
        const isAfter = await page
          .locator('h1, h3')
          .last()
          .evaluate((heading) => {
            const badge = heading.querySelector('.badge') as Element;
            const name = document.createRange();
            name.setStartBefore(heading.firstChild as Node);
            name.setEndBefore(badge);
            return badge.getBoundingClientRect().left >= name.getBoundingClientRect().right;
          });
        expect([path, isAfter]).toEqual([path, true]);
      }
    });

    it('labels the lower end of the axis of a key without usage with 0', async () => {
      const { administrator, page, place } = await openKeys();
      const { organization_id } = administrator;
      const input = { organization_id, name: 'Unused', scopes: ['tags.view'], expires_in_days: null };
      const { id } = await createApiKey(service.store, input, 'test');
      await page.goto(`${developer.address}${place}/keys/${id}`);
      const [label, chart] = await Promise.all(
        ['.chart .scale span', '.chart svg'].map((selector) => page.locator(selector).boundingBox()),
      );
      const bottomOf = (box: typeof label) => (box?.y ?? 0) + (box?.height ?? 0);
      expect(Math.abs(bottomOf(label) - bottomOf(chart))).toBeLessThan(4);
    });

    it('lists the history newest first', async () => {
      const { page, newKey } = await openKeys();
      await newKey('First', 90, 1);
      await newKey('Second', 90, 1);
      await page.getByRole('link', { name: 'History' }).click();
      await heading(page, 'History');
      expect(await page.locator('.rows > li a').allTextContents()).toEqual(['Second', 'First']);
    });
  });
});
