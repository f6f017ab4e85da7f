import type { Server } from 'node:http';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { readCookbook } from '../../../src/graphql/http/graphiql/cookbook.ts';
import { createHttpServer, listen } from '../../../src/server/http-server.ts';
import { barriers } from '../../support/browser/axe.ts';
import { browserPath, openBrowser } from '../../support/browser/browser.ts';
import { person, times } from '../../support/data.ts';
import { onOneStore, type TestOrganization } from '../../support/service.ts';

onOneStore((service) => {
  let server: Server;
  let address: string;
  let organization: TestOrganization;

  beforeAll(async () => {
    organization = await service.organization();
    for (const n of times(7, (n) => n)) await organization.post('/members', person({ last_name: `Number${n}` }));
    const app = service.appWith({ graphiql: { demoKey: organization.key } });
    server = createHttpServer(app);
    address = await listen(server, 0, '127.0.0.1');
  });
  afterAll(() => server.close());

  const html = (init: RequestInit = {}) =>
    fetch(`${address}/graphql`, { ...init, headers: { Accept: 'text/html', ...init.headers } });

  it('serves the page without a key or a rate limit', async () => {
    const response = await html();
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^text\/html/);
    expect(response.headers.get('x-ratelimit-limit')).toBeNull();
  });

  it('serves a small page with compressed, immutable assets', async () => {
    const page = await (await html()).text();
    expect(page.length).toBeLessThan(20_000);
    const files = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path as string);
    expect(files.length).toBeGreaterThanOrEqual(4);
    for (const file of files) {
      const response = await fetch(address + file, { headers: { 'Accept-Encoding': 'br' } });
      expect([response.status, response.headers.get('content-encoding')]).toEqual([200, 'br']);
      expect(response.headers.get('cache-control')).toContain('immutable');
    }
  });

  it('serves no page if GraphiQL is disabled', async () => {
    const app = service.appWith({});
    const response = await app.fetch(new Request('http://service.test/graphql', { headers: { Accept: 'text/html' } }));
    expect(response.status).toBe(401);
  });

  it('contains no key without a demo key', async () => {
    const app = service.appWith({ graphiql: { demoKey: undefined } });
    const response = await app.fetch(new Request('http://service.test/graphql', { headers: { Accept: 'text/html' } }));
    expect(await response.text()).not.toMatch(/cms_[0-9a-z]{10}/);
  });

  describe.skipIf(!browserPath)(`in a browser${browserPath ? '' : ' (skipped: no Chromium on this machine)'}`, () => {
    let browser: Browser;
    let page: Page;
    const externalRequests: string[] = [];
    const pageErrors: string[] = [];

    beforeAll(async () => {
      browser = await openBrowser();
      page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
      page.setDefaultTimeout(60_000);
      await page.route('**/*', (route) => {
        if (route.request().url().startsWith(address)) return route.continue();
        externalRequests.push(route.request().url());
        return route.abort();
      });
      page.on('pageerror', (error) => pageErrors.push(error.message));
      await page.goto(`${address}/graphql`);
      await page.waitForSelector('.graphiql-execute-button');
    });
    afterAll(() => browser?.close());

    const result = () => page.locator('.result-window');
    /** Opens the page with a query in the URL and runs it until the result contains the expected text. */
    const run = async (query: string, expected: string) => {
      await page.goto(`${address}/graphql?query=${encodeURIComponent(query)}`);
      await page.locator('.graphiql-query-editor .view-line').first().waitFor();
      const shows = () =>
        result()
          .getByText(expected)
          .waitFor({ timeout: 3_000 })
          .then(
            () => true,
            () => false,
          );
      // A click has no effect until GraphiQL has received the text of the editor.
      for (let attempt = 1; attempt <= 5; attempt++) {
        await page.locator('.graphiql-execute-button').click();
        if (await shows()) return;
      }
      expect(await result().textContent()).toContain(expected);
    };

    it('runs a query with the key filled in', async () => {
      await run('{ members(first: 3) { edges { node { lastName } } pageInfo { endCursor } } }', 'Number2');
      expect(await result().textContent()).toContain('Number0');
    });

    it('accepts a cursor of REST', async () => {
      const { json } = await organization.get('/members?limit=3');
      await run(
        `{ members(first: 2, after: "${json.pagination.next_cursor}") { edges { node { lastName } } } }`,
        'Number3',
      );
      expect(await result().textContent()).not.toContain('Number2');
    });

    it('shows the code of an error', async () => {
      await run('{ member(id: "mem_unknown") { id } }', 'not_found');
    });

    it('opens a tab with variables for each recipe of the cookbook', async () => {
      const fresh = await (await browser.newContext()).newPage();
      await fresh.goto(`${address}/graphql`);
      const tabs = fresh.locator('.graphiql-tab-button');
      const recipes = (await readCookbook()).map(({ query }) => /^(?:query|mutation) (\w+)/m.exec(query)?.[1]);
      await tabs.nth(recipes.length - 1).waitFor();
      expect(await tabs.allTextContents()).toEqual(recipes);
      await tabs.nth(recipes.indexOf('CreateOrJoin')).click();
      await fresh.locator('.graphiql-editor-tool').getByText('robin.field@example.org').waitFor();
      // Until GraphiQL has parsed the document of a tab, it runs the operation of the previous tab.
      await vi.waitFor(
        async () => {
          await fresh.locator('.graphiql-execute-button').click();
          await fresh.locator('.result-window').getByText('createMember').waitFor({ timeout: 3_000 });
        },
        { timeout: 60_000 },
      );
      await fresh.context().close();
    });

    it('has an explorer', async () => {
      await page.locator('button[aria-label="Show GraphiQL Explorer"]').click();
      await page.locator('.graphiql-explorer-root').waitFor();
    });

    it.each(['light', 'dark'] as const)(
      'is accessible and does not scroll horizontally at any width, in %s mode',
      async (colorScheme) => {
        // Transitions are disabled, because contrast cannot be checked while colors change.
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await run('# Three members\n{ members(first: 3) { pageInfo { hasNextPage } } }', 'hasNextPage');
        for (const [label, panel] of [
          ['Show Documentation Explorer', '.graphiql-doc-explorer-content'],
          ['Show GraphiQL Explorer', '.graphiql-explorer-root'],
        ] as const) {
          await page.locator(`button[aria-label="${label}"]`).click();
          await page.locator(panel).waitFor();
          for (const width of [1400, 360]) {
            await page.setViewportSize({ width, height: 900 });
            expect(await barriers(page)).toEqual([]);
            expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
          }
        }
      },
    );

    it('sends no requests to other hosts and raises no errors', () => {
      expect(externalRequests.filter((url) => !url.startsWith('data:') && !url.startsWith('blob:'))).toEqual([]);
      expect(pageErrors).toEqual([]);
    });
  });
});
