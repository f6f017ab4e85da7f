import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { createOperatorLink } from '../../src/domain/accounts/operator.ts';
import { createOrganization } from '../../src/domain/admin/organization.ts';
import { sql } from '../../src/store/sql.ts';
import { PASSWORD } from '../support/developer/visitor.ts';
import { onOwnDatabase } from '../support/service.ts';
import { inBrowser } from './support/browser.ts';

const KEY = /^cms_[0-9a-z]{38}$/;
const PAGES = { docs: { demoKey: undefined }, graphiql: { demoKey: undefined } };

onOwnDatabase((service) => {
  const appOf = async () => {
    await createOrganization(service.store, { name: 'Hillside', country: 'US' }, 'test');
    return service.appWith({ developer: { operatorPassword: undefined }, ...PAGES });
  };
  inBrowser(appOf, (visited) => {
    /** Opens the link printed by the first start of the service. */
    const openLink = async (): Promise<Page> => {
      await service.store.db.rows(sql`DELETE FROM operator`);
      const token = await createOperatorLink(service.store);
      return visited.open(`/developer/set-password?token=${token}`);
    };
    /** Goes from the link to the key in the clipboard. @returns the key, and the numbers of clicks and typed fields. */
    const copyFirstKey = async (page: Page) => {
      let [clicks, fields] = [0, 0];
      const typeIntoFocused = (value: string) => {
        fields++;
        return page.keyboard.type(value);
      };
      const click = (role: 'button' | 'link', name: string) => {
        clicks++;
        return page.getByRole(role, { name, exact: true }).click();
      };
      // The field has the focus, so that no click is needed.
      await typeIntoFocused(PASSWORD);
      await click('button', 'Set password and sign in');
      await click('link', 'Create a key');
      await click('link', 'Directory');
      await click('button', 'Create the key');
      await click('button', 'Copy the key');
      await page.getByText('Copied', { exact: true }).waitFor();
      return { key: await page.evaluate(() => navigator.clipboard.readText()), clicks, fields };
    };

    it('leads from the printed link to a copied key with one typed field and five clicks', async () => {
      const page = await openLink();
      const { key, clicks, fields } = await copyFirstKey(page);
      expect(key).toMatch(KEY);
      expect({ clicks, fields }).toEqual({ clicks: 5, fields: 1 });
      const members = await fetch(`${visited.address}/v1/members`, { headers: { 'X-Api-Key': key } });
      expect(members.status).toBe(200);
    });

    it.each([
      ['GraphiQL', '/graphql'],
      ['the reference', '/docs'],
    ])('passes the new key to %s without a URL that contains it', async (name, path) => {
      const page = await openLink();
      const { key } = await copyFirstKey(page);
      const urls: string[] = [];
      page.context().on('request', (request) => urls.push(request.url()));
      const opening = page.context().waitForEvent('page');
      await page.getByRole('link', { name: `Try it in ${name}` }).click();
      const opened = await opening;
      await opened.waitForURL(`${visited.address}${path}**`);
      await expect.poll(() => opened.getByLabel('API key', { exact: true }).inputValue()).toBe(key);
      expect(urls.length).toBeGreaterThan(0);
      expect(urls.join('\n')).not.toContain(key);
      expect(await page.locator('#key').textContent()).toContain(key);
    });

    it('applies the scopes of a preset without clearing the name', async () => {
      const page = await openLink();
      await page.getByLabel('Password').fill(PASSWORD);
      await page.getByRole('button', { name: 'Set password and sign in' }).click();
      await page.getByRole('link', { name: 'Create a key' }).click();
      await page.getByLabel('Name').fill('Website');
      const preset = (name: string) => page.getByRole('link', { name, exact: true });
      const checked = () => page.locator('input[name=scope]:checked').count();
      const total = await page.getByRole('checkbox').count();
      expect(await checked()).toBe(0);
      await preset('Calendar').click();
      expect([await checked(), await preset('Calendar').getAttribute('aria-current')]).toEqual([2, 'true']);
      await preset('Everything').click();
      expect(await checked()).toBe(total);
      await page.getByLabel('tags.view').uncheck();
      expect(await preset('Everything').getAttribute('aria-current')).toBeNull();
      expect(await page.getByLabel('Name').inputValue()).toBe('Website');
    });
  });
});
