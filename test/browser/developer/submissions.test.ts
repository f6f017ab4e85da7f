import { expect, it } from 'vitest';
import { createApiKey } from '../../../src/domain/admin/api-key.ts';
import { onOneStore } from '../../support/service.ts';
import { onDeveloperPages, shownKey } from '../support/developer-browser.ts';

onOneStore((service) => {
  onDeveloperPages(service, (developer) => {
    it.each(['rotate', 'create'])('shows the new key when the button to %s it is double-clicked', async (action) => {
      const { administrator, page, place } = await developer.openKeys();
      const { organization_id } = administrator;
      const input = { organization_id, name: 'Website', scopes: ['tags.view'], expires_in_days: 90 };
      const { id } = await createApiKey(service.store, input, 'test');
      const path = action === 'rotate' ? `keys/${id}/rotate` : 'new-key?preset=calendar';
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
      const { page, place } = await developer.openKeys();
      await page.goto(`${developer.address}${place}/settings`);
      for (const zone of ['Asia/Beirut', 'Europe/Berlin']) {
        await page.getByLabel('Time zone').fill(zone);
        await page.getByRole('button', { name: 'Save' }).click();
        await page.getByText('The settings were saved.').waitFor();
        expect(await page.getByLabel('Time zone').inputValue()).toBe(zone);
        if (zone === 'Asia/Beirut') await page.goBack();
      }
    });
  });
});
