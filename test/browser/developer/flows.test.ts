import { randomUUID } from 'node:crypto';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { Administrator } from '../../../src/domain/accounts/administrator.ts';
import { createApiKey } from '../../../src/domain/admin/api-key.ts';
import { client } from '../../support/client.ts';
import { newAdministrator, PASSWORD } from '../../support/developer/visitor.ts';
import { onOneStore } from '../../support/service.ts';
import { heading, onDeveloperPages, shownKey } from '../support/developer-browser.ts';

type Role = 'button' | 'link' | 'checkbox' | 'radio';

/** Presses Tab until an element has the focus. */
async function focus(wanted: Locator): Promise<void> {
  await wanted.waitFor();
  for (let n = 0; n < 120; n++) {
    if (await wanted.evaluate((element) => element === document.activeElement)) return;
    await wanted.page().keyboard.press('Tab');
  }
  throw new Error(`the Tab key does not lead to ${wanted}`);
}

const tabTo = (page: Page, role: Role, name: string) => focus(page.getByRole(role, { name, exact: true }));

async function press(page: Page, role: Role, name: string, key: 'Enter' | 'Space' = 'Enter'): Promise<void> {
  await tabTo(page, role, name);
  await page.keyboard.press(key);
}

/** Replaces the text of the field with this label. */
async function type(page: Page, label: string, text: string): Promise<void> {
  await focus(page.getByLabel(label, { exact: true }));
  await page.keyboard.press('Control+A');
  await page.keyboard.type(text);
}

onOneStore((service) => {
  onDeveloperPages(service, (developer) => {
    const statusOf = async (key: string) => (await client(developer.app, key).get('/tags')).status;
    const newKey = ({ organization_id }: Administrator, name = 'Website') =>
      createApiKey(service.store, { organization_id, name, scopes: ['tags.view'], expires_in_days: null }, 'test');

    describe.each([
      ['with JavaScript', true],
      ['without JavaScript', false],
    ])('with the keyboard only, %s, an administrator', (_, javaScriptEnabled) => {
      const options = { javaScriptEnabled };
      /** The list of keys with one key. */
      const openKey = async () => {
        const administrator = await newAdministrator(service);
        const key = await newKey(administrator);
        const page = await developer.openAs(
          administrator,
          `/developer/organizations/${administrator.organization_id}`,
          options,
        );
        return { administrator, key, page };
      };
      /** The text that a button copies, which there is only with JavaScript. */
      const copied = async (page: Page, button: string) => {
        await press(page, 'button', button);
        await page.getByText('Copied', { exact: true }).waitFor();
        return page.evaluate(() => navigator.clipboard.readText());
      };

      it('signs in, creates a working key, and signs out', async () => {
        const administrator = await newAdministrator(service);
        const page = await developer.open('/developer', options);
        await type(page, 'Email address', administrator.email);
        await type(page, 'Password', PASSWORD);
        await page.keyboard.press('Enter');
        await press(page, 'link', 'Create a key');
        await type(page, 'Name', 'Website');
        await press(page, 'checkbox', 'tags.view', 'Space');
        await focus(page.getByRole('radio', { name: 'After 90 days' }));
        await page.keyboard.press('ArrowUp');
        await page.keyboard.press('Enter');
        const key = await shownKey(page);
        if (javaScriptEnabled) expect(await copied(page, 'Copy the key')).toBe(key);
        else expect(await page.getByRole('button', { name: 'Copy' }).count()).toBe(0);
        expect(await statusOf(key)).toBe(200);
        await press(page, 'link', 'I have copied it');
        await heading(page, 'API keys');
        expect(await page.content()).not.toContain(key);
        expect(await page.getByRole('row').filter({ hasText: 'Website' }).textContent()).toContain('in ');
        await press(page, 'link', 'Account');
        await press(page, 'button', 'Sign out');
        await heading(page, 'Sign in to the developer page');
      });

      it('rotates a key', async () => {
        const { key, page } = await openKey();
        await press(page, 'link', 'Website');
        await press(page, 'link', 'Rotate');
        await tabTo(page, 'radio', 'After a day');
        for (const _ of [0, 1]) await page.keyboard.press('ArrowUp');
        await press(page, 'button', 'Rotate the key');
        expect([await statusOf(await shownKey(page)), await statusOf(key.key)]).toEqual([200, 401]);
      });

      it('sees in the list which key is used most, and the cause of a failure after one more step', async () => {
        const { administrator, key, page } = await openKey();
        const busy = await newKey(administrator, 'Newsletter');
        const { apiKeyUsage, apiKeyFailedRequest } = service.store.prisma;
        const day = new Date();
        await apiKeyUsage.create({ data: { apiKeyId: key.id, day, points: 7, requests: 7, failed: 1 } });
        await apiKeyUsage.create({ data: { apiKeyId: busy.id, day, points: 4_200, requests: 4_200 } });
        const request = { api: 'rest', operation: 'listMembers', status: 403, requestId: randomUUID(), cost: 1 };
        await apiKeyFailedRequest.create({
          data: { ...request, apiKeyId: key.id, id: 1, at: day, code: 'missing_scope', field: 'members.view' },
        });
        await page.reload();
        const row = (name: string) => page.getByRole('row').filter({ hasText: name });
        expect(await row('Newsletter').textContent()).toContain('4,200');
        expect(await row('Website').textContent()).toContain('7');
        await press(page, 'link', '1');
        await page.getByText('Refused and failed requests', { exact: true }).waitFor();
        const cause = await page.getByRole('listitem').filter({ hasText: 'missing_scope' }).textContent();
        expect(cause).toMatch(/listMembers.*members\.view/s);
      });

      it('filters the list of keys, and pages through it', async () => {
        const { administrator, page } = await openKey();
        for (let n = 1; n <= 16; n++) await newKey(administrator, `Key ${n}`);
        await page.reload();
        const names = () => page.getByRole('rowheader').getByRole('link').allTextContents();
        await press(page, 'link', 'Next');
        await page.waitForURL('**?before=*');
        expect(await names()).toEqual(['Key 1', 'Website']);
        await type(page, 'Name, description, prefix or key', 'webs');
        await press(page, 'button', 'Filter');
        await page.waitForURL('**?q=webs');
        expect(await names()).toEqual(['Website']);
        await press(page, 'link', 'Show all');
        await page.getByText('Key 16', { exact: true }).waitFor();
      });

      it('invites an administrator, who sets a password, and removes them', async () => {
        const { page } = await developer.openKeys(options);
        await press(page, 'link', 'Administrators');
        await type(page, 'Email address', `${randomUUID()}@example.org`);
        await type(page, 'Name (optional)', 'Robin');
        await press(page, 'button', 'Invite');
        await heading(page, 'Robin was invited');
        const link = (await page.locator('#link').textContent()) ?? '';
        if (javaScriptEnabled) expect(await copied(page, 'Copy the link')).toBe(link);
        const invited = await developer.open(link.slice(developer.address.length), options);
        await type(invited, 'Password', PASSWORD);
        await press(invited, 'button', 'Set password and sign in');
        await heading(invited, 'API keys');
        await press(page, 'link', 'I have copied it');
        await press(page, 'link', 'Remove Robin');
        await press(page, 'button', 'Remove the administrator');
        await page.getByText('The administrator was removed.').waitFor();
        await invited.reload();
        await heading(invited, 'Sign in to the developer page');
      });
    });
  });
});
