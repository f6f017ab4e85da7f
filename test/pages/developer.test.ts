import { randomInt } from 'node:crypto';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { App } from '../../src/app.ts';
import { sql } from '../../src/store/sql.ts';
import { barriers } from '../support/browser/axe.ts';
import { inBrowser } from '../support/browser/browser.ts';
import { developerApp, newAdministrator, OPERATOR_PASSWORD, PASSWORD } from '../support/browser/visitor.ts';
import { client } from '../support/client.ts';
import { onOneStore } from '../support/service.ts';

const KEY = /cms_[0-9a-z]{38}/;
/** The next page is opened from the last one, which is narrow as on a telephone. */
const LOOKS = [
  { width: 1280, height: 800 },
  { width: 360, height: 740 },
].flatMap((viewport) => (['light', 'dark'] as const).map((colorScheme) => ({ viewport, colorScheme })));

onOneStore((service) => {
  let app: App;
  const appOf = () => {
    app = developerApp(service);
    return app;
  };
  inBrowser(appOf, (visited) => {
    const outside: string[] = [];

    /** A window with its own client address, so that sign-in attempts are counted separately. */
    const open = async (options: BrowserContextOptions = {}): Promise<Page> => {
      const context = await visited.browser.newContext({
        permissions: ['clipboard-read', 'clipboard-write'],
        extraHTTPHeaders: { 'X-Forwarded-For': `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}` },
        ...options,
      });
      const page = await context.newPage();
      page.setDefaultTimeout(60_000);
      page.on('request', (request) => {
        if (!request.url().startsWith(visited.address)) outside.push(request.url());
      });
      await page.goto(`${visited.address}/developer`);
      return page;
    };
    const signIn = async (page: Page, name: string, password: string) => {
      await page.getByLabel('Email address').fill(name);
      await page.getByLabel('Password').fill(password);
      await page.getByRole('button', { name: 'Sign in' }).click();
    };
    const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
    /** Creates a key named “Website” from the list of keys; ends on the page that shows it. */
    const createKey = async (page: Page) => {
      await page.getByRole('link', { name: 'Create a key' }).click();
      await page.getByRole('link', { name: 'None' }).click();
      await page.getByLabel('Name').fill('Website');
      await page.getByLabel('tags.view').check();
      await page.getByRole('button', { name: 'Create the key' }).click();
      await heading(page, 'Your new API key');
    };
    const shownKey = async (page: Page) => ((await page.locator('#key').textContent()) ?? '').trim();
    const statusOf = async (key: string) => (await client(app, key).get('/tags')).status;

    /** Presses Tab until an element has the focus. */
    const tabTo = async (page: Page, role: 'button' | 'link' | 'textbox' | 'checkbox' | 'radio', name: string) => {
      const wanted = page.getByRole(role, { name, exact: true });
      await wanted.waitFor();
      for (let n = 0; n < 60; n++) {
        if (await wanted.evaluate((element) => element === document.activeElement)) return;
        await page.keyboard.press('Tab');
      }
      throw new Error(`the Tab key does not lead to the ${role} ${name}`);
    };

    it('leads from sign-in to a working key with the keyboard only', async () => {
      const administrator = await newAdministrator(service);
      const page = await open();
      await tabTo(page, 'textbox', 'Email address');
      await page.keyboard.type(administrator.email);
      await page.keyboard.press('Tab');
      await page.keyboard.type(PASSWORD);
      await page.keyboard.press('Enter');
      await tabTo(page, 'link', 'Create a key');
      await page.keyboard.press('Enter');
      await tabTo(page, 'textbox', 'Name');
      await page.keyboard.type('Website');
      await tabTo(page, 'link', 'None');
      await page.keyboard.press('Enter');
      await tabTo(page, 'checkbox', 'tags.view List assignable tags');
      await page.keyboard.press('Space');
      await tabTo(page, 'radio', 'After 90 days');
      await page.keyboard.press('ArrowUp');
      await page.keyboard.press('Enter');
      await heading(page, 'Your new API key');
      await tabTo(page, 'button', 'Copy the key');
      await page.keyboard.press('Enter');
      await page.getByText('Copied', { exact: true }).waitFor();
      const key = await page.evaluate(() => navigator.clipboard.readText());
      expect(key).toMatch(new RegExp(`^${KEY.source}$`));
      expect(await statusOf(key)).toBe(200);
      expect(await page.locator('#curl').textContent()).toContain(`${visited.address}/v1/tags?limit=2`);
      await tabTo(page, 'link', 'I have copied it');
      await page.keyboard.press('Enter');
      await heading(page, 'API keys');
      expect(await page.content()).not.toContain(key);
      expect(await page.getByRole('listitem').filter({ hasText: 'Website' }).textContent()).toContain('Expires');
      await page.context().close();
    });

    it('works without JavaScript: sign in, create, reload, rotate, revoke, sign out', async () => {
      const administrator = await newAdministrator(service);
      const page = await open({ javaScriptEnabled: false });
      await signIn(page, administrator.email, PASSWORD);
      await createKey(page);
      expect(await page.getByRole('button', { name: 'Copy' }).count()).toBe(0);
      const key = await shownKey(page);
      // Reloading submits the form again, after a confirmation.
      await page.reload();
      await heading(page, 'This key was created before');
      expect(await page.content()).not.toContain(key);
      await page.getByRole('link', { name: 'View key' }).click();
      await page.getByRole('link', { name: 'Rotate' }).click();
      await page.getByRole('button', { name: 'Rotate the key' }).click();
      await heading(page, 'Your new API key');
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
      await page.context().close();
    });

    it('is accessible on all pages without horizontal scrolling, in two widths and color schemes', async () => {
      const administrator = await newAdministrator(service);
      const page = await open({ reducedMotion: 'reduce' });
      const found: string[] = [];
      const check = async (name: string) => {
        await heading(page, name);
        for (const { viewport, colorScheme } of LOOKS) {
          await page.setViewportSize(viewport);
          await page.emulateMedia({ colorScheme });
          const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
          const faults = [...(await barriers(page)), ...(over > 0 ? [`${over} pixels too wide`] : [])];
          found.push(...faults.map((fault) => `${name}, ${colorScheme}, ${viewport.width} pixels: ${fault}`));
        }
      };
      await check('Sign in to the developer pages');
      await signIn(page, administrator.email, 'wrong');
      await check('Sign in to the developer pages');
      await signIn(page, administrator.email, PASSWORD);
      await check('API keys');
      await page.getByRole('link', { name: 'Create a key' }).click();
      await check('Create an API key');
      await page.getByRole('link', { name: 'None' }).click();
      await page.getByLabel('Name').fill('A rather long name that has to find its place on a telephone too');
      await page.getByRole('button', { name: 'Create the key' }).click();
      await page.getByText('Select at least one scope').waitFor();
      await check('Create an API key');
      for (const scope of await page.getByRole('checkbox').all()) await scope.check();
      await page.getByRole('button', { name: 'Create the key' }).click();
      await check('Your new API key');
      await page.getByRole('link', { name: 'View key' }).click();
      await check('A rather long name');
      const place = page.url();
      await page.goto(`${place}/edit`);
      await check('Edit “A rather long name');
      await page.goto(`${place}/rotate`);
      await page.getByRole('button', { name: 'Rotate the key' }).click();
      await check('Your new API key');
      await page.goto(`${place}/rotate`);
      await check('“A rather long name');
      await page.goto(`${place}/revoke`);
      await check('Revoke “A rather long name');
      await page.getByRole('button', { name: 'Revoke the key' }).click();
      await page.goto(`${visited.address}/developer`);
      await check('API keys');
      await page.getByRole('link', { name: 'History of all keys' }).click();
      await check('History of API keys');
      await page.goBack();
      await page.getByRole('link', { name: 'Administrators' }).click();
      await check('Administrators');
      await page.getByLabel('Email address').fill(`${administrator.id}@example.org`);
      await page.getByRole('button', { name: 'Invite' }).click();
      await check(`${administrator.id}@example.org was invited`);
      await page.goto(`${visited.address}/developer/password`);
      await check('Change your password');
      await page.goto(`${visited.address}/developer/nothing`);
      await check('Not found');
      await page.context().clearCookies();
      await page.goto(`${visited.address}/developer`);
      await signIn(page, 'operator', OPERATOR_PASSWORD);
      await check('Organizations');
      expect(found).toEqual([]);
      await page.context().close();
    });

    it('does not wrap the labels of buttons', async () => {
      const administrator = await newAdministrator(service);
      const page = await open();
      await signIn(page, administrator.email, PASSWORD);
      await createKey(page);
      const wrapped: string[] = [];
      for (const path of ['/developer', page.url().slice(visited.address.length)]) {
        await page.goto(visited.address + path);
        for (const width of [320, 390, 840, 1280]) {
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
      await page.context().close();
    });

    it('shows large numbers of points beside the buttons of a key, not below them', async () => {
      const administrator = await newAdministrator(service);
      const page = await open();
      await signIn(page, administrator.email, PASSWORD);
      await createKey(page);
      await service.store.db.rows(sql`
        INSERT INTO api_key_usage (api_key_id, day, units)
        SELECT id, (now() AT TIME ZONE 'UTC')::date, 1234567 FROM api_key
        WHERE organization_id = ${administrator.organization_id}`);
      await page.goto(`${visited.address}/developer`);
      for (const width of [320, 390, 840, 1280]) {
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
      await page.context().close();
    });

    it('loads no external resources', () => {
      expect(outside).toEqual([]);
    });
  });
});
