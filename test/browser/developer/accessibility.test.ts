import { expect, it } from 'vitest';
import { createApiKey } from '../../../src/domain/admin/api-key.ts';
import { addDeliveries, addFailedRequests, addUnusedScope } from '../../support/developer/developer-pages.ts';
import { newAdministrator, OPERATOR_PASSWORD, PASSWORD } from '../../support/developer/visitor.ts';
import { onOneStore } from '../../support/service.ts';
import { barriersInEachLook } from '../support/axe.ts';
import { heading, onDeveloperPages, submitSignIn } from '../support/developer-browser.ts';

onOneStore((service) => {
  onDeveloperPages(service, (developer) => {
    it('is accessible on all pages without horizontal scrolling, in two widths and color schemes', async () => {
      const administrator = await newAdministrator(service);
      const { organization_id } = administrator;
      const page = await developer.open('/developer');
      const found: string[] = [];
      const check = async (name: string) => {
        await heading(page, name);
        // The next page is opened from this one, which is then narrow as on a telephone.
        found.push(...(await barriersInEachLook(page)).map((fault) => `${name}, ${fault}`));
      };
      await check('Sign in to the developer pages');
      await submitSignIn(page, administrator.email, 'wrong');
      await page.getByText('Email or password is incorrect').waitFor();
      await check('Sign in to the developer pages');
      await submitSignIn(page, administrator.email, PASSWORD);
      await check('API keys');
      await page.getByRole('link', { name: 'Create a key' }).click();
      await check('Create an API key');
      await page.getByLabel('Name').fill('A rather long name that has to find its place on a telephone too');
      await page.getByRole('button', { name: 'Create the key' }).click();
      await page.getByText('Select at least one scope').first().waitFor();
      await check('Create an API key');
      for (const scope of await page.getByRole('checkbox').all()) await scope.check();
      await page.getByRole('button', { name: 'Create the key' }).click();
      await check('Your new API key');
      await page.getByRole('link', { name: 'View key' }).click();
      await heading(page, 'A rather long name');
      const place = page.url();
      const id = place.split('/').at(-1) as string;
      await addFailedRequests(service, id);
      await addUnusedScope(service, id);
      await page.goto(`${place}?code=not_found&api=graphql`);
      await check('A rather long name');
      await page.goto(`${place}/edit`);
      await check('Edit “A rather long name');
      await page.goto(`${place}/rotate?narrow`);
      await check('Rotate “A rather long name');
      await page.getByRole('button', { name: 'Rotate the key' }).click();
      await check('Your new API key');
      await page.goto(`${place}/rotate`);
      await check('“A rather long name');
      await page.goto(`${place}/revoke`);
      await check('Revoke “A rather long name');
      await page.getByRole('button', { name: 'Revoke the key' }).click();
      await heading(page, 'A rather long name');
      for (let n = 0; n < 15; n++) {
        const input = { organization_id, name: `Key ${n}`, scopes: ['tags.view'], expires_in_days: null };
        await createApiKey(service.store, input, 'test');
      }
      await page.goto(`${developer.address}/developer/organizations/${organization_id}`);
      await check('API keys');
      await page.getByRole('link', { name: 'Revoked and expired keys' }).click();
      await check('Revoked and expired keys');
      await page.getByRole('link', { name: 'Webhooks' }).click();
      await check('Webhooks');
      await page.getByRole('link', { name: 'Create a webhook' }).click();
      await check('Create a webhook');
      await page.getByLabel('URL').fill('https://hooks.example.org/a-rather-long-path-that-has-to-find-its-place');
      await page.getByRole('button', { name: 'Create the webhook' }).click();
      await page.getByText('Select at least one scope').first().waitFor();
      await check('Create a webhook');
      for (const scope of await page.getByRole('checkbox').all()) await scope.check();
      await page.getByRole('button', { name: 'Create the webhook' }).click();
      await check('The secret of the webhook');
      await page.getByRole('link', { name: 'I have copied it' }).click();
      await check('Webhook to hooks.example.org');
      const webhook = page.url();
      await addDeliveries(service, webhook.split('/').at(-1) as string);
      await page.getByRole('button', { name: 'Pause' }).click();
      await page.getByText('It is paused').waitFor();
      await check('Webhook to hooks.example.org');
      for (const [path, name] of [
        ['edit', 'Edit the webhook'],
        ['rotate', 'Rotate the secret'],
        ['delete', 'Delete the webhook?'],
      ] as const) {
        await page.goto(`${webhook.split('?')[0]}/${path}`);
        await check(name);
      }
      await page.getByRole('link', { name: 'Webhooks' }).click();
      await check('Webhooks');
      await page.getByRole('link', { name: 'History' }).click();
      await check('History');
      await page.getByRole('link', { name: 'Settings' }).click();
      await check('Settings');
      await page.getByRole('link', { name: 'Administrators' }).click();
      await check('Administrators');
      await page.getByLabel('Email address').fill(`${administrator.id}@example.org`);
      await page.getByRole('button', { name: 'Invite' }).click();
      await check(`${administrator.id}@example.org was invited`);
      const link = (await page.locator('#link').textContent()) ?? '';
      await page.getByRole('link', { name: 'I have copied it' }).click();
      await page.getByRole('link', { name: `Remove ${administrator.id}` }).click();
      await check(`Remove ${administrator.id}@example.org?`);
      await page.goto(link);
      await check('Set your password');
      await page.goto(`${developer.address}/developer/account`);
      await check('Your account');
      await page.goto(`${developer.address}/developer/nothing`);
      await check('Not found');
      await page.context().clearCookies();
      await page.goto(`${developer.address}/developer`);
      await service.organization();
      await submitSignIn(page, 'operator', OPERATOR_PASSWORD);
      await check('Organizations');
      expect(found).toEqual([]);
    });

    it('loads no external resources and logs no errors', () => {
      expect(developer.faults).toEqual([]);
    });
  });
});
