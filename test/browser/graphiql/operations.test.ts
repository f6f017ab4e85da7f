import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { person, times } from '../../support/data.ts';
import { onOneStore, type TestOrganization } from '../../support/service.ts';
import { eventually } from '../../support/time/eventually.ts';
import { barriers } from '../support/axe.ts';
import { inBrowser } from '../support/browser.ts';

onOneStore((service) => {
  let organization: TestOrganization;

  beforeAll(async () => {
    organization = await service.organization();
    for (const n of times(7, (n) => n)) await organization.post('/members', person({ last_name: `Number${n}` }));
  });

  const appOf = () => service.appWith({ graphiql: { demoKey: organization.key } });
  inBrowser(appOf, (visited) => {
    let page: Page;
    const externalRequests: string[] = [];
    const pageErrors: string[] = [];

    beforeAll(async () => {
      page = await visited.newPage({ width: 1400, height: 900 });
      page.on('request', (request) => {
        if (!request.url().startsWith(visited.address)) externalRequests.push(request.url());
      });
      page.on('pageerror', (error) => pageErrors.push(error.message));
      await page.goto(`${visited.address}/graphql`);
      await page.waitForSelector('.graphiql-execute-button');
    });
    afterAll(() => page?.close());

    const result = () => page.locator('.result-window');
    /** Opens the page with a query in the URL and runs it until the result contains the expected text. */
    const run = async (query: string, expected: string) => {
      await page.goto(`${visited.address}/graphql?query=${encodeURIComponent(query)}`);
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

    it('shows each change of a stream when it arrives', async () => {
      await run('subscription { changes(resources: [members]) { record { ... on Member { lastName } } } }', 'Number6');
      await organization.post('/members', person({ last_name: 'Streamed' }));
      await result().getByText('Streamed').waitFor();
      expect(pageErrors).toEqual([]);
    });

    it.each([
      ['light', 390],
      ['dark', 1440],
    ] as const)(
      'is accessible in %s mode, %i pixels wide, without horizontal scrolling at any width',
      async (colorScheme, checkedWidth) => {
        // Transitions are disabled, because contrast cannot be checked while colors change.
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await run(
          '# Three members\n{ members(first: 3) { pageInfo { hasNextPage } nodes { tags { id } } } }',
          'hasNextPage',
        );
        for (const [label, panel] of [
          ['Documentation Explorer', '.graphiql-doc-explorer-content'],
          ['History', '.graphiql-history-items'],
          ['GraphiQL Explorer', '.graphiql-explorer-root'],
          ['Examples', '.examples-panel'],
          ['REST', '.rest-panel pre'],
        ] as const) {
          await page.locator(`button[aria-label="Show ${label}"]`).click();
          await page.locator(panel).first().waitFor();
          for (const width of [1440, 840, 390]) {
            await page.setViewportSize({ width, height: 900 });
            // Editors are resized in the next frame.
            await eventually(async () =>
              expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0),
            );
            // Contrast depends on the color scheme, and layout on the width; testing all combinations would find nothing more.
            if (width !== checkedWidth) continue;
            expect(await barriers(page), `${label}, ${width} pixels wide`).toEqual([]);
          }
        }
      },
    );

    it('transfers at most 1.8 MB on the first visit, and 3 KB on the next one', async () => {
      const fresh = await (await visited.browser.newContext()).newPage();
      let bytes = 0;
      const session = await fresh.context().newCDPSession(fresh);
      session.on('Network.loadingFinished', ({ encodedDataLength }) => {
        bytes += encodedDataLength;
      });
      await session.send('Network.enable');
      const workers = new Set<string>();
      fresh.on('worker', (worker) => workers.add(worker.url()));
      const visit = async () => {
        await fresh.goto('about:blank');
        bytes = 0;
        await fresh.goto(`${visited.address}/graphql`);
        await fresh.locator('.explain-bar dl').waitFor();
        await fresh.waitForLoadState('networkidle');
        return bytes;
      };
      let first = await visit();
      await vi.waitFor(() => expect(workers.size).toBe(3), { timeout: 10_000, interval: 100 });
      // Workers load their files in separate sessions.
      for (const url of workers) {
        const { headers } = await fetch(url, { headers: { 'Accept-Encoding': 'br' } });
        first += Number(headers.get('content-length'));
      }
      expect(first).toBeLessThan(1_800_000);
      expect(first).toBeGreaterThan(500_000);
      expect(await visit()).toBeLessThan(3_072);
    });

    it('sends no requests to other hosts and raises no errors', () => {
      expect(externalRequests.filter((url) => !url.startsWith('data:') && !url.startsWith('blob:'))).toEqual([]);
      expect(pageErrors).toEqual([]);
    });
  });
});
