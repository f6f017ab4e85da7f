import { randomInt } from 'node:crypto';
import type { BrowserContextOptions, Page } from 'playwright-core';
import type { App } from '../../../src/app.ts';
import type { Administrator } from '../../../src/domain/accounts/administrator.ts';
import { developerApp, newAdministrator, signedIn } from '../../support/developer/visitor.ts';
import type { TestService } from '../../support/service.ts';
import { inBrowser, type Visited } from './browser.ts';

/** The developer pages in a browser. */
export interface VisitedDeveloperPages extends Pick<Visited, 'address' | 'faults'> {
  readonly app: App;
  /**
   * Opens a page in a new window, which is closed after the test. Each window has its own client address, so that sign-in
   * attempts are counted separately.
   */
  open(path?: string, options?: BrowserContextOptions): Promise<Page>;
  /** The same for a signed-in administrator; the operator by default. */
  openAs(administrator: Administrator | undefined, path: string, options?: BrowserContextOptions): Promise<Page>;
  /** An administrator of a new organization, signed in at the list of its keys. */
  openKeys(options?: BrowserContextOptions): Promise<OpenedKeys>;
}

/** A window of a signed-in administrator. */
interface OpenedKeys {
  readonly page: Page;
  readonly administrator: Administrator;
  /** The path of the organization. */
  readonly place: string;
}

/** Runs a suite on the developer pages in a browser, see {@link inBrowser}. */
export function onDeveloperPages(service: TestService, suite: (pages: VisitedDeveloperPages) => void): void {
  let app: App;
  const appOf = () => {
    app = developerApp(service, { docs: { demoKey: undefined }, graphiql: { demoKey: undefined } });
    return app;
  };
  inBrowser(appOf, (visited) => {
    const open: VisitedDeveloperPages['open'] = (path = '/developer', options = {}) => {
      const address = `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`;
      return visited.open(path, { extraHTTPHeaders: { 'X-Forwarded-For': address }, ...options });
    };
    const openAs: VisitedDeveloperPages['openAs'] = async (administrator, path, options = {}) => {
      const page = await open('about:blank', options);
      const { cookie = '' } = await signedIn(service, app, administrator);
      const [name = '', value = ''] = cookie.split('=');
      await page.context().addCookies([{ name, value, url: visited.address }]);
      await page.goto(visited.address + path);
      return page;
    };
    suite({
      get address() {
        return visited.address;
      },
      get app() {
        return app;
      },
      faults: visited.faults,
      open,
      openAs,
      async openKeys(options) {
        const administrator = await newAdministrator(service);
        const place = `/developer/organizations/${administrator.organization_id}`;
        return { administrator, place, page: await openAs(administrator, place, options) };
      },
    });
  });
}

/** Waits for a page with this heading. */
export function heading(page: Page, name: string): Promise<void> {
  return page.getByRole('heading', { level: 1, name }).waitFor();
}

/** The key on the page that shows a new one. */
export async function shownKey(page: Page): Promise<string> {
  await heading(page, 'Your new API key');
  return ((await page.locator('#key').textContent()) ?? '').trim();
}

/** Signs in with the form on the page. */
export async function submitSignIn(page: Page, name: string, password: string): Promise<void> {
  await page.getByLabel('Email address').fill(name);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}
