import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { createApiKey, listApiKeys } from '../../../src/domain/admin/api-key.ts';
import { client } from '../../support/client.ts';
import { addUnusedScope } from '../../support/developer/developer-pages.ts';
import { newAdministrator, PASSWORD } from '../../support/developer/visitor.ts';
import { onOneStore } from '../../support/service.ts';
import { heading, onDeveloperPages, shownKey, submitSignIn } from '../support/developer-browser.ts';

const NEW_PASSWORD = 'another battery, correct';
const WITHOUT_JAVASCRIPT = { javaScriptEnabled: false };

onOneStore((service) => {
  onDeveloperPages(service, (developer) => {
    const statusOf = async (key: string) => (await client(developer.app, key).get('/tags')).status;
    /** The page of a new key. */
    const openKey = async () => {
      const administrator = await newAdministrator(service);
      const { organization_id } = administrator;
      const input = { organization_id, name: 'Website', scopes: ['tags.view'], expires_in_days: null };
      const key = await createApiKey(service.store, input, 'test');
      const path = `/developer/organizations/${organization_id}/keys/${key.id}`;
      return { organization_id, key, page: await developer.openAs(administrator, path, WITHOUT_JAVASCRIPT) };
    };

    it('signs in, creates, rotates and revokes keys, and signs out', async () => {
      const administrator = await newAdministrator(service);
      const page = await developer.open('/developer', WITHOUT_JAVASCRIPT);
      await submitSignIn(page, administrator.email, PASSWORD);
      await page.getByRole('link', { name: 'Create a key' }).click();
      await page.getByLabel('Name').fill('Website');
      await page.getByLabel('tags.view').check();
      await page.getByRole('button', { name: 'Create the key' }).click();
      const key = await shownKey(page);
      expect(await page.getByRole('button', { name: 'Copy' }).count()).toBe(0);
      // Reloading submits the form again, after a confirmation.
      await page.reload();
      await heading(page, 'This key was created before');
      expect(await page.content()).not.toContain(key);
      await page.getByRole('link', { name: 'View key' }).click();
      await page.getByRole('link', { name: 'Rotate' }).click();
      await page.getByRole('button', { name: 'Rotate the key' }).click();
      const next = await shownKey(page);
      expect([await statusOf(key), await statusOf(next)]).toEqual([200, 200]);
      await page.getByRole('link', { name: 'View key' }).click();
      await page.getByRole('link', { name: 'Revoke' }).click();
      await page.getByRole('button', { name: 'Revoke the key' }).click();
      await heading(page, 'Website revoked');
      expect([await statusOf(key), await statusOf(next)]).toEqual([200, 401]);
      await page.getByRole('button', { name: 'Sign out' }).click();
      await heading(page, 'Sign in to the developer page');
      await page.goBack();
      await heading(page, 'Sign in to the developer page');
    });

    it('edits a key', async () => {
      const { page } = await openKey();
      await page.getByRole('link', { name: 'Edit' }).click();
      await page.getByLabel('Name').fill('Newsletter');
      await page.getByLabel('Description').fill('Sends it on Fridays');
      await page.getByRole('button', { name: 'Save' }).click();
      await heading(page, 'Newsletter active');
      expect(await page.locator('main').textContent()).toContain('Sends it on Fridays');
    });

    it('creates a key with fewer scopes', async () => {
      const { key, organization_id, page } = await openKey();
      await addUnusedScope(service, key.id);
      await page.reload();
      await page.getByRole('link', { name: 'Create a key with fewer scopes' }).click();
      await page.getByRole('button', { name: 'Rotate the key' }).click();
      await heading(page, 'Your new API key');
      const keys = await listApiKeys(service.store, organization_id);
      expect(keys.map(({ scopes }) => scopes)).toEqual([['tags.view', 'events.view'], ['tags.view']]);
    });

    it('filters the list of keys, and pages through it', async () => {
      const { administrator, page, place } = await developer.openKeys(WITHOUT_JAVASCRIPT);
      const { organization_id } = administrator;
      for (let n = 1; n <= 17; n++) {
        const input = { organization_id, name: `Key ${n}`, scopes: ['tags.view'], expires_in_days: null };
        await createApiKey(service.store, input, 'test');
      }
      await page.reload();
      const names = () => page.getByRole('heading', { level: 3 }).getByRole('link').allTextContents();
      expect((await names()).slice(0, 2)).toEqual(['Key 17', 'Key 16']);
      await page.getByRole('link', { name: 'Next' }).click();
      await page.getByText('Keys 16 to 17 of 17').waitFor();
      expect(await names()).toEqual(['Key 2', 'Key 1']);
      await page.getByRole('link', { name: 'Previous' }).click();
      await page.getByText('Keys 1 to 15 of 17').waitFor();
      await page.getByLabel('Name, description, prefix or key').fill('key 1');
      await page.getByRole('button', { name: 'Filter' }).click();
      await page.waitForURL('**?q=key+1');
      expect(await names()).toHaveLength(9);
      await page.getByRole('link', { name: 'Show all' }).click();
      await page.waitForURL((url) => url.pathname === place && url.search === '');
      expect(await names()).toHaveLength(15);
    });

    it('invites an administrator, who sets a password, and removes them', async () => {
      const { page } = await developer.openKeys(WITHOUT_JAVASCRIPT);
      const email = `${randomUUID()}@example.org`;
      await page.getByRole('link', { name: 'Administrators' }).click();
      await page.getByLabel('Email address').fill(email);
      await page.getByLabel('Name (optional)').fill('Robin');
      await page.getByRole('button', { name: 'Invite' }).click();
      await heading(page, 'Robin was invited');
      const link = (await page.locator('#link').textContent()) ?? '';
      const invited = await developer.open(link.slice(developer.address.length), WITHOUT_JAVASCRIPT);
      await invited.getByLabel('Password').fill(PASSWORD);
      await invited.getByRole('button', { name: 'Set password and sign in' }).click();
      await heading(invited, 'API keys');
      await page.getByRole('link', { name: 'I have copied it' }).click();
      await page.getByRole('link', { name: 'Remove Robin' }).click();
      await page.getByRole('button', { name: 'Remove the administrator' }).click();
      await page.getByText('The administrator was removed.').waitFor();
      await invited.reload();
      await heading(invited, 'Sign in to the developer page');
    });

    it('changes the own password', async () => {
      const { administrator, page } = await developer.openKeys(WITHOUT_JAVASCRIPT);
      await page.getByRole('link', { name: administrator.name as string }).click();
      await page.getByLabel('Current password').fill(PASSWORD);
      await page.getByLabel('New password').fill(NEW_PASSWORD);
      await page.getByRole('button', { name: 'Change password' }).click();
      await page.getByText('Your password was changed.').waitFor();
    });

    it('sets the time zone', async () => {
      const { page } = await developer.openKeys(WITHOUT_JAVASCRIPT);
      await page.getByRole('link', { name: 'Settings' }).click();
      await page.getByLabel('Time zone').fill('Asia/Beirut');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('The settings were saved.').waitFor();
    });

    it('finds an organization as the operator', async () => {
      const administrator = await newAdministrator(service);
      const page = await developer.openAs(undefined, '/developer', WITHOUT_JAVASCRIPT);
      await page.getByLabel('Name, id or API key').fill(administrator.organization_id);
      await page.getByRole('button', { name: 'Search' }).click();
      await page.waitForURL('**?q=*');
      await page.getByRole('link', { name: 'Test organization' }).click();
      await heading(page, 'API keys');
    });
  });
});
