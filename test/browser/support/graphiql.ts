import type { Page } from 'playwright-core';
import { afterEach } from 'vitest';
import { createMemoryRateLimiter } from '../../../src/rate-limit/rate-limiter.ts';
import type { TestOrganization, TestService } from '../../support/service.ts';
import { inBrowser, type Visited } from './browser.ts';

/** GraphiQL in a browser, with the key of a demo organization. */
export interface VisitedGraphiql extends Pick<Visited, 'address'> {
  readonly demo: TestOrganization;
  /** A new tab, see {@link Visited}; closed after the test. */
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
    const pages: Page[] = [];
    afterEach(async () => {
      for (const page of pages.splice(0)) await page.close();
    });
    suite({
      get address() {
        return visited.address;
      },
      get demo() {
        return demo;
      },
      async newPage() {
        const page = await visited.newPage({ width: 1280, height: options.height });
        pages.push(page);
        return page;
      },
    });
  });
}
