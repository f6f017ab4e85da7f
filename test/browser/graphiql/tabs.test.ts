import type { Page } from 'playwright-core';
import { beforeEach, expect, it } from 'vitest';
import { onOneStore } from '../../support/service.ts';
import { eventually } from '../../support/time/eventually.ts';
import { onGraphiql } from '../support/graphiql.ts';

/** The tabs of the first visit: others are among the examples. */
const FIRST = ['Directory'];
const SHARED_QUERY = 'query Shared($first: Int) { members(first: $first) { edges { node { id } } } }';
const SHARED_VARIABLES = '{ "first": 3 }';

onOneStore((service) => {
  onGraphiql(service, { height: 800 }, (graphiql) => {
    let page: Page;
    beforeEach(async () => {
      page = await graphiql.newPage();
    });

    /** Waits until the editor exists, and the schema is loaded or failed to load. */
    const loaded = async () => {
      await page.locator('.graphiql-query-editor .view-line').first().waitFor();
      await page.locator('#key-status[data-state]').waitFor();
    };
    const visit = async (path = '/graphql') => {
      // `goto` alone would not reload the page for the same path with another fragment.
      await page.goto('about:blank');
      await page.goto(graphiql.address + path);
      await loaded();
    };
    const reload = async () => {
      await page.reload();
      await loaded();
    };
    const tabs = () => page.locator('.graphiql-tab-button').allTextContents();
    const activeTab = () => page.locator('.graphiql-tab-active .graphiql-tab-button').textContent();
    const openTab = (name: string) => page.locator('.graphiql-tab-button', { hasText: name }).click();
    const openExample = async (title: string) => {
      await page.getByRole('button', { name: 'Show Examples' }).click();
      await page.locator('.examples-panel').getByRole('button', { name: title }).click();
    };
    /** The visible text of an editor; spaces are normalized. */
    const text = async (editor: 'query' | 'variable') => {
      const selector = editor === 'query' ? '.graphiql-query-editor' : '.graphiql-editor-tool .graphiql-editor';
      const lines = await page.locator(`${selector}:not(.hidden) .view-line`).allTextContents();
      return lines.join(' ').replace(/\s+/g, ' ').trim();
    };
    const type = async (added: string) => {
      await page.locator('.graphiql-query-editor .view-line').first().click();
      await page.keyboard.press('Control+Home');
      await page.keyboard.type(added);
    };
    const stored = () => page.evaluate(() => localStorage.getItem('graphiql:tabState') ?? '');
    const enterKey = async (key: string) => {
      await page.getByLabel('API key').fill(key);
      await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')]);
      await loaded();
    };
    const status = async () => (await page.locator('#key-status').textContent())?.trim();

    it('shows the same tabs on every visit and reload', async () => {
      await visit();
      for (const again of [reload, visit, undefined]) {
        expect(await tabs()).toEqual(FIRST);
        expect(await activeTab()).toBe('Directory');
        expect(await text('query')).toMatch(/^query Directory/);
        await eventually(async () => expect(await stored()).toContain('Directory'));
        await again?.();
      }
    });

    it('keeps edited queries, and removes empty tabs', async () => {
      await visit();
      await type('# Mine\n');
      await eventually(async () => expect(await stored()).toContain('# Mine'));
      await page.locator('.graphiql-tab-add').click();
      await eventually(async () => expect(await activeTab()).toBe('<untitled>'));
      await eventually(async () => expect(JSON.parse(await stored()).tabs).toHaveLength(FIRST.length + 1));
      await visit();
      expect(await tabs()).toEqual(FIRST);
      await openTab('Directory');
      await eventually(async () => expect(await text('query')).toContain('# Mine'));
    });

    it.each(['search parameters', 'fragment'])('opens a link with %s alone, and keeps stored tabs', async (form) => {
      await visit();
      await type('# Mine\n');
      await eventually(async () => expect(await stored()).toContain('# Mine'));
      const parameters = new URLSearchParams({ query: SHARED_QUERY, variables: SHARED_VARIABLES });
      await visit(`/graphql${form === 'fragment' ? '#' : '?'}${parameters}`);
      for (const again of [reload, undefined]) {
        expect(await tabs()).toEqual(['Shared']);
        expect(await text('query')).toBe(SHARED_QUERY);
        await eventually(async () => expect(await text('variable')).toBe(SHARED_VARIABLES));
        await again?.();
      }
      await page.locator('.graphiql-tab-add').click();
      await type('query Another { tags { nodes { id } } }');
      await eventually(async () => expect(await tabs()).toEqual(['Shared', 'Another']));
      expect(await stored()).not.toContain('Shared');
      await visit();
      expect(await tabs()).toEqual(FIRST);
      await eventually(async () => expect(await text('query')).toContain('# Mine'));
    });

    it('has a button that copies a link to the active tab', async () => {
      await visit();
      await openExample('Create or join');
      await eventually(async () => expect(page.url()).toContain('robin.field%40example.org'));
      expect(new URL(page.url()).search).toBe('');
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await page.getByRole('button', { name: /^Share:/ }).click();
      await page.getByText('Link copied').waitFor();
      const link = await page.evaluate(() => navigator.clipboard.readText());
      expect(link).toBe(page.url());
      await visit(link.slice(graphiql.address.length));
      expect(await tabs()).toEqual(['CreateOrJoin']);
      // Long lines are wrapped.
      await eventually(async () =>
        expect((await text('variable')).replaceAll(' ', '')).toContain('robin.field@example.org'),
      );
    });

    it('says what to copy where browsers have no clipboard', async () => {
      await page.addInitScript(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
      await visit();
      await page.getByRole('button', { name: /^Share:/ }).click();
      await page.getByText('Copy the address of the page').waitFor();
    });

    it('keeps the tabs when a key is entered, and shows the organization of the key', async () => {
      const own = await service.organization();
      await visit();
      expect(await status()).toBe('The demo organization’s key is filled in.');
      await openExample('Department roster');
      await eventually(async () => expect(JSON.parse(await stored()).activeTabIndex).toBe(1));
      await enterKey(own.key);
      expect(await status()).toBe('Your key, kept in this browser tab only.');
      expect(await tabs()).toEqual([...FIRST, 'DepartmentRoster']);
      expect(await activeTab()).toBe('DepartmentRoster');
      await Promise.all([
        page.waitForEvent('load'),
        page.getByRole('button', { name: 'Use the demo organization’s key' }).click(),
      ]);
      await loaded();
      expect(await page.getByLabel('API key').inputValue()).toBe(graphiql.demo.key);
      expect(await status()).toBe('The demo organization’s key is filled in.');
    });

    it.each([
      [
        'unknown',
        () => `cms_${'0'.repeat(38)}`,
        'This API key is not known; copy all of it: a key begins with cms_ and has 42 characters',
      ],
      ['missing', () => '', 'Enter an API key to run operations.'],
      [
        'revoked',
        async () => {
          const other = await service.organization();
          await other.revoke();
          return other.key;
        },
        'This API key was revoked',
      ],
    ])('shows next to the field that the key is %s, and the documentation without it', async (_, keyOf, message) => {
      const key = await keyOf();
      await page.addInitScript((key) => sessionStorage.setItem('api-key', key), key);
      await visit();
      await eventually(async () => expect(await status()).toBe(message));
      await page.locator('button[aria-label="Show Documentation Explorer"]').click();
      await page.locator('.graphiql-doc-explorer-content').getByText('Query').first().waitFor();
    });
  });
});
