import type { Page } from 'playwright-core';
import { beforeEach, expect, it } from 'vitest';
import { onOneStore, type TestOrganization } from '../../support/service.ts';
import { eventually } from '../../support/time/eventually.ts';
import { onGraphiql } from '../support/graphiql.ts';

const LIMIT = 20;

onOneStore((service) => {
  onGraphiql(service, { height: 900, pointsPerMinute: LIMIT }, (graphiql) => {
    let page: Page;
    beforeEach(async () => {
      page = await graphiql.newPage();
    });

    /** Opens the page with an operation, with the key of an organization. */
    const visit = async (query?: string, variables?: string, organization?: TestOrganization) => {
      // Each test has a separate key and rate limit.
      const { key } = organization ?? (await service.organization());
      await page.addInitScript((key) => sessionStorage.setItem('api-key', key), key);
      const link = query === undefined ? '' : `#${new URLSearchParams({ query, ...(variables ? { variables } : {}) })}`;
      await page.goto(`${graphiql.address}/graphql${link}`);
      await page.locator('.explain-bar dl').waitFor();
    };
    const bar = () => page.locator('.explain-bar');
    const entry = (name: string) =>
      page.locator('.explain-bar dl > div', { has: page.getByText(name, { exact: true }) }).locator('dd');
    const shows = (name: string, value: string) =>
      eventually(async () => expect(await entry(name).textContent()).toBe(value));
    /** Replaces the text of an editor. */
    const type = async (editor: '.graphiql-query-editor' | '.graphiql-editor-tool', text: string) => {
      await page.locator(`${editor} .graphiql-editor:not(.hidden) .view-line`).first().click();
      await page.keyboard.press('Control+A');
      await page.keyboard.press('Delete');
      await page.keyboard.insertText(text);
    };
    const typeQuery = (query: string) => type('.graphiql-query-editor', query);
    const openPanel = (name: string) => page.getByRole('button', { name: `Show ${name}` }).click();
    const run = () => page.locator('.graphiql-execute-button').click();
    const text = (selector: string) => async () =>
      ((await page.locator(selector).allTextContents()).join(' ') ?? '').replace(/\s+/g, ' ');

    it('shows cost, scopes, records and points of an operation, and updates them while typing', async () => {
      await visit('{ members(first: 2) { nodes { lastName tags { name } } } }');
      await shows('Cost', '2 points');
      await shows('Scopes', 'members.view, tags.view');
      await shows('Records', 'at most 2 members, plus their tags');
      await shows('Budget', `${LIMIT - 1} of ${LIMIT} points left`);
      await typeQuery('{ tags { nodes { id } } }');
      await shows('Cost', '1 point');
      await shows('Scopes', 'tags.view');
      await run();
      await shows('Budget', `${LIMIT - 3} of ${LIMIT} points left`);
      const lastRun = text('.last-run');
      await eventually(async () => expect(await lastRun()).toMatch(/^Status200Time[\d,]+ msCost1 point$/));
      await page.locator('.graphiql-tab-add').click();
      await eventually(async () => expect(await lastRun()).toBe(''));
    });

    it('shows the missing scopes of the key, and the error that the operation would return', async () => {
      const organization = await service.organization({ scopes: ['members.view'] });
      await visit('{ members(first: 2) { nodes { tags { name } } } }', undefined, organization);
      await shows('Missing', 'tags.view');
      await typeQuery('{ members { nodes { nothing } } }');
      await eventually(async () =>
        expect(await bar().getByRole('status').textContent()).toMatch(/^invalid_request: Cannot query field "nothing"/),
      );
    });

    it('uses the variables, and reports invalid JSON', async () => {
      await visit('query ($first: Int) { tags(first: $first) { nodes { id } } }', '{ "first": 7 }');
      await shows('Records', 'at most 7 tags');
      await type('.graphiql-editor-tool', '{ "first": ');
      await eventually(async () =>
        expect(await bar().getByRole('status').textContent()).toMatch(/^invalid_request: The variables /),
      );
    });

    it('shows the code of an exhausted rate limit and the time until its reset', async () => {
      const organization = await service.organization();
      await visit('{ tags { nodes { id } } }', undefined, organization);
      const more = { 'X-Api-Key': organization.key };
      for (let n = 0; n < LIMIT; n++) await fetch(`${graphiql.address}/v1/tags`, { headers: more });
      await run();
      const message = /^rate_limited: The limit of 20 points\/minute is used up\. Try again in (\d+) seconds?\.$/;
      await eventually(async () => expect(await bar().getByRole('alert').textContent()).toMatch(message));
      const seconds = async () => Number(message.exec((await page.locator('#exhausted').textContent()) ?? '')?.[1]);
      const first = await seconds();
      expect(first).toBeLessThanOrEqual(60);
      await eventually(async () => expect(await seconds()).toBeLessThan(first));
      expect(await page.locator('.result-window').textContent()).toContain('rate_limited');
    });

    it('shows the same requests in REST as working curl commands', async () => {
      const organization = await service.organization();
      await visit(
        '{ tags(first: 3) { nodes { id } } members(first: 1) { nodes { tags { id } } } }',
        undefined,
        organization,
      );
      await openPanel('REST');
      const commands = page.locator('.rest-panel pre');
      await eventually(async () =>
        expect(await commands.allTextContents()).toEqual([
          `curl '${graphiql.address}/v1/tags?limit=3' \\\n  -H "X-Api-Key: $API_KEY"`,
          `curl '${graphiql.address}/v1/members?limit=1' \\\n  -H "X-Api-Key: $API_KEY"`,
        ]),
      );
      expect(await text('.rest-panel dl')()).toContain('members.nodes.tags');
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await page.getByRole('button', { name: 'Copy the command for tags' }).click();
      await page.locator('.rest-panel').getByText('Copied', { exact: true }).waitFor();
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(await commands.first().textContent());
    });

    it('keeps a history of operations without their headers', async () => {
      await visit('query Tags { tags { nodes { id } } }');
      await run();
      await openPanel('History');
      await page.locator('.graphiql-history-item').getByText('Tags').waitFor();
      await eventually(async () =>
        expect(await page.evaluate(() => localStorage.getItem('graphiql:queries'))).toContain('query Tags'),
      );
      expect(await page.evaluate(() => localStorage.getItem('graphiql:queries'))).not.toContain('Idempotency-Key');
    });

    it('can be entered and left with the keyboard, including editors', async () => {
      await visit('{ tags { nodes { id } } }');
      await page.keyboard.press('Tab');
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to the content');
      const focused = new Set<string>();
      for (let n = 0; n < 60; n++) {
        await page.keyboard.press('Tab');
        focused.add(
          await page.evaluate(() => {
            const { activeElement: element } = document;
            return element?.getAttribute('aria-label') ?? element?.textContent ?? '';
          }),
        );
      }
      const expected = [
        'GraphiQL',
        'Show REST',
        '<untitled>',
        'Operation: press Enter to edit',
        'Headers',
        'Result Window',
      ];
      expect([...focused]).toEqual(expect.arrayContaining(expected));
      await page.getByRole('group', { name: 'Operation' }).focus();
      for (const key of ['Enter', 'Control+A', 'Delete']) await page.keyboard.press(key);
      await page.keyboard.insertText('query Typed { tags { nodes { id } } }');
      await eventually(async () => expect(await text('.graphiql-tab-active')()).toContain('Typed'));
      await page.keyboard.press('Control+Enter');
      await eventually(async () => expect(await page.locator('.result-window').textContent()).toContain('nodes'));
      await page.keyboard.press('Escape');
      await page.keyboard.press('Tab');
      expect(await page.evaluate(() => document.activeElement?.ariaLabel)).toContain('Execute query');
    });
  });
});
