import type { BrowserContext, Page } from 'playwright-core';
import { afterEach, beforeAll } from 'vitest';
import { createMemoryRateLimiter } from '../../../src/rate-limit/rate-limiter.ts';
import type { TestOrganization, TestService } from '../service.ts';
import { inBrowser, type Visited } from './browser.ts';

/** GraphiQL in a browser, with the key of a demo organization. */
export interface VisitedGraphiql extends Visited {
  readonly demo: TestOrganization;
  readonly context: BrowserContext;
  /** A new tab without anything stored; the files of GraphiQL stay in the browser's cache. Closed after the test. */
  newPage(): Promise<Page>;
}

/** Runs a suite on GraphiQL in a browser, see {@link inBrowser}. */
export function onGraphiql(
  service: TestService,
  options: { readonly height: number; readonly pointsPerMinute?: number },
  suite: (graphiql: VisitedGraphiql) => void,
): void {
  let demo: TestOrganization;
  const appOf = async () => {
    demo = await service.organization();
    const limited =
      options.pointsPerMinute === undefined ? {} : { rateLimiter: createMemoryRateLimiter(options.pointsPerMinute) };
    return service.appWith({ ...limited, graphiql: { demoKey: demo.key } });
  };
  inBrowser(appOf, (visited) => {
    let context: BrowserContext;
    beforeAll(async () => {
      context = await visited.browser.newContext({ viewport: { width: 1280, height: options.height } });
      // The last page of a context would close its window, which takes time to open.
      await context.newPage();
    });
    const pages: Page[] = [];
    afterEach(async () => {
      for (const page of pages.splice(0)) await page.close();
    });
    suite({
      get browser() {
        return visited.browser;
      },
      get address() {
        return visited.address;
      },
      get demo() {
        return demo;
      },
      get context() {
        return context;
      },
      async newPage() {
        const page = await context.newPage();
        pages.push(page);
        page.setDefaultTimeout(60_000);
        const session = await context.newCDPSession(page);
        const storageTypes = 'cookies,local_storage,indexeddb';
        await session.send('Storage.clearDataForOrigin', { origin: visited.address, storageTypes });
        await session.detach();
        return page;
      },
    });
  });
}
