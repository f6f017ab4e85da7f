import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterEach, beforeAll, describe } from 'vitest';
import type { App } from '../../../src/app.ts';
import { createHttpServer, listen } from '../../../src/server/http-server.ts';
import { browserPath } from './browser-path.ts';

/** A browser, and the URL of the app that it visits. */
export interface Visited {
  readonly browser: Browser;
  readonly address: string;
  /** The requests to other hosts of the pages that `open` opened, and their errors, except for responses with 4xx. */
  readonly faults: string[];
  /** Opens a page in a new window, which is closed after the test. */
  open(path: string, options?: BrowserContextOptions): Promise<Page>;
  /**
   * A new tab with empty storage, for pages with large scripts: the browser caches their compiled code from one test to the
   * next, which saves most of the time of a visit.
   */
  newPage(viewport: { readonly width: number; readonly height: number }): Promise<Page>;
}

interface Shared {
  /** The default context of the browser: other contexts do not cache compiled scripts. */
  readonly profile: BrowserContext;
  readonly address: string;
}

let visitedApp: App;
let shared: Promise<Shared> | undefined;

/**
 * The browser of all test files in this process, closed when the process ends; it sends no background requests. All apps
 * have one origin, because the browser caches compiled scripts by origin.
 */
async function startShared(): Promise<Shared> {
  const address = listen(createHttpServer({ fetch: (...args) => visitedApp.fetch(...args) }), 0, '127.0.0.1');
  const profile = chromium.launchPersistentContext('', {
    executablePath: browserPath as string,
    viewport: null,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      // One renderer process for all pages, instead of a new one at most visits.
      '--renderer-process-limit=1',
      '--disable-site-isolation-trials',
      '--process-per-site',
    ],
  });
  return { profile: await profile, address: await address };
}

async function emptyPage({ profile, address }: Shared, viewport: { width: number; height: number }): Promise<Page> {
  const page = await profile.newPage();
  page.setDefaultTimeout(60_000);
  await page.setViewportSize(viewport);
  const session = await profile.newCDPSession(page);
  const storageTypes = 'cookies,local_storage,indexeddb';
  await session.send('Storage.clearDataForOrigin', { origin: address, storageTypes });
  await session.detach();
  return page;
}

/** Runs a suite in a browser that visits an app; skipped, with a note, if there is no browser. */
export function inBrowser(appOf: () => App | Promise<App>, suite: (visited: Visited) => void): void {
  describe.skipIf(!browserPath)(`in a browser${browserPath ? '' : ' (skipped: no Chromium on this machine)'}`, () => {
    let own: Shared;
    const faults: string[] = [];
    const browser = () => own.profile.browser() as Browser;
    beforeAll(async () => {
      visitedApp = await appOf();
      shared ??= startShared();
      own = await shared;
    });
    afterEach(async () => {
      const windows = browser()
        .contexts()
        .filter((context) => context !== own.profile);
      await Promise.all(windows.map((window) => window.close()));
    });
    suite({
      get browser() {
        return browser();
      },
      get address() {
        return own.address;
      },
      faults,
      async open(path, options = {}) {
        const context = await browser().newContext({
          viewport: { width: 1280, height: 800 },
          reducedMotion: 'reduce',
          permissions: ['clipboard-read', 'clipboard-write'],
          ...options,
        });
        const page = await context.newPage();
        page.setDefaultTimeout(60_000);
        page.on('request', (request) => {
          if (!request.url().startsWith(own.address)) faults.push(request.url());
        });
        page.on('pageerror', (error) => faults.push(error.message));
        page.on('console', (message) => {
          if (message.type() === 'error' && !message.text().includes('status of 4')) faults.push(message.text());
        });
        await page.goto(new URL(path, own.address).href);
        return page;
      },
      newPage: (viewport) => emptyPage(own, viewport),
    });
  });
}
