import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { person } from '../support/data.ts';
import { onOneStore } from '../support/service.ts';
import { barriersInEachLook } from './support/axe.ts';
import { blockStorage, inBrowser } from './support/browser.ts';

const PAGES = ['/docs', '/docs/graphql'];
const WIDE = { width: 1280, height: 800 };

onOneStore((service) => {
  const appOf = async () => {
    const organization = await service.organization();
    await organization.post('/members', person({ last_name: 'Okonkwo' }));
    return service.appWith({ docs: { demoKey: organization.key } });
  };
  inBrowser(appOf, (visited) => {
    const outside: string[] = [];
    const faults: string[] = [];

    const open = async (path: string, options: BrowserContextOptions = {}): Promise<Page> => {
      const context = await visited.browser.newContext({ viewport: WIDE, reducedMotion: 'reduce', ...options });
      const page = await context.newPage();
      page.setDefaultTimeout(60_000);
      page.on('request', (request) => {
        if (!request.url().startsWith(visited.address)) outside.push(request.url());
      });
      page.on('pageerror', (error) => faults.push(error.message));
      page.on('console', (message) => {
        if (message.type() === 'error' && !message.text().includes('status of 4')) faults.push(message.text());
      });
      await page.goto(path.startsWith('/') ? visited.address + path : path);
      return page;
    };
    const send = async (page: Page, id: string) => {
      const operation = page.locator(`[id="${id}"]`);
      await operation.locator('.try').evaluate((details: HTMLDetailsElement) => {
        details.open = true;
      });
      await operation.getByRole('button', { name: 'Send' }).click();
      const body = JSON.parse((await operation.locator('.result pre').textContent()) ?? '');
      return { result: operation.locator('.result'), body };
    };
    const visibleLinks = (page: Page) => page.locator('.contents ul ul a:visible').allTextContents();

    it.each(PAGES)('shows the first operation of %s without scrolling', async (path) => {
      const page = await open(path);
      for (const selector of ['.entry h3', '.entry .endpoint', '.entry .facts', '.entry .samples fieldset']) {
        const { y = 0, height = 0 } = (await page.locator(selector).first().boundingBox()) ?? {};
        expect(y, selector).toBeGreaterThan(0);
        expect(y + height, selector).toBeLessThanOrEqual(WIDE.height);
      }
      await page.context().close();
    });

    it.each(PAGES)('shows %s without JavaScript, but without the parts that require it', async (path) => {
      const page = await open(path, { javaScriptEnabled: false });
      expect((await visibleLinks(page)).length).toBeGreaterThan(20);
      expect(await page.locator('.entry .samples pre:visible').count()).toBeGreaterThan(20);
      expect(await page.locator('.try:visible, .key:visible, button:visible:not(.search button)').count()).toBe(0);
      if (path === '/docs') {
        const operation = page.locator('#createMember');
        await operation.getByText('Python', { exact: true }).click();
        expect(await operation.locator('pre:visible').first().textContent()).toContain('requests.post(');
        await operation.getByText('Errors', { exact: true }).click();
        expect(await operation.getByText('member_exists').isVisible()).toBe(true);
      }
      await page.context().close();
    });

    it('leads from the navigation to an operation without JavaScript', async () => {
      const page = await open('/docs', { javaScriptEnabled: false });
      await page
        .getByRole('navigation', { name: 'Reference' })
        .getByRole('link', { name: /^List tags/ })
        .click();
      await page.waitForURL('**/docs#listTags');
      const { y = -1 } = (await page.locator('#listTags h3').boundingBox()) ?? {};
      expect(y).toBeGreaterThanOrEqual(0);
      expect(y).toBeLessThan(WIDE.height / 2);
      await page.context().close();
    });

    it('shows of each operation the path, the scope, samples in four languages and a form, with folded errors', async () => {
      const page = await open('/docs');
      const operations = await page.locator('.entry:has(.endpoint)').evaluateAll((entries) =>
        entries.map((entry) => ({
          id: entry.id,
          path: entry.querySelector('.endpoint')?.textContent?.match(/\/v1\S*/)?.[0],
          languages: [...entry.querySelectorAll('.samples label')].map(({ textContent }) => textContent?.trim()),
          open: [...entry.querySelectorAll('details')].filter((details) => details.open).length,
          try: entry.querySelectorAll('.try form').length,
        })),
      );
      expect(operations.length).toBeGreaterThan(20);
      for (const operation of operations) {
        expect(operation).toMatchObject({ path: expect.any(String), open: 0, try: 1 });
        expect(operation.languages).toEqual(['curl', 'TypeScript', 'Python', 'GraphQL']);
      }
      const facts = page.locator('#createMember .facts');
      expect(await facts.textContent()).toContain('members.create');
      await page.context().close();
    });

    it.each(PAGES)('is accessible at %s in two widths and color schemes, with all sections open', async (path) => {
      const page = await open(path);
      await send(page, path === '/docs' ? 'listMembers' : 'members');
      await page.evaluate(() => {
        for (const details of document.querySelectorAll('details')) details.open = true;
      });
      expect(await barriersInEachLook(page)).toEqual([]);
      await page.context().close();
    });

    it('leads from the address bar to a response with the keyboard only, with visible focus', async () => {
      const page = await open('/docs');
      const focused = () =>
        page.evaluate(() => {
          const element = document.activeElement as HTMLElement;
          const { outlineStyle } = getComputedStyle(element);
          const { top, bottom } = element.getBoundingClientRect();
          return { text: element.textContent, outlineStyle, inSight: bottom > 0 && top < innerHeight };
        });
      await page.keyboard.press('Tab');
      expect(await focused()).toMatchObject({ text: 'Skip to the content', inSight: true });
      await page.keyboard.press('Enter');
      await page.keyboard.press('Tab');
      expect(await focused()).toMatchObject({ text: 'Skip the contents', inSight: true });
      await page.keyboard.press('Enter');
      for (let n = 0; n < 30 && (await focused()).text !== 'Try it'; n++) {
        await page.keyboard.press('Tab');
        expect(await focused()).toMatchObject({ inSight: true });
      }
      expect(await focused()).toMatchObject({ text: 'Try it', outlineStyle: 'solid' });
      await page.keyboard.press('Enter');
      await page.keyboard.press('Tab');
      await page.keyboard.type('okonkwo');
      await page.keyboard.press('Enter');
      await page.locator('#listMembers .result pre').waitFor();
      expect(await page.locator('#listMembers .result pre').textContent()).toContain('"Okonkwo"');
      await page.context().close();
    });

    it('sends requests with the key, and shows status, rate limit and body', async () => {
      const page = await open('/docs');
      const { result, body } = await send(page, 'createMember');
      expect(body.data.email_address).toBe('robin.field@example.org');
      expect(await result.locator('[role=status]').textContent()).toMatch(/^201 Created in \d+ ms$/);
      expect(await result.locator('dl').textContent()).toMatch(/X-RateLimit-Limit\d+X-RateLimit-Remaining\d+/);
      await page.getByLabel('API key').fill('cms_wrong');
      await page.getByLabel('API key').press('Tab');
      expect((await send(page, 'listMembers')).body.error.code).toBe('invalid_api_key');
      // GraphiQL uses the same stored key.
      expect(await page.evaluate(() => sessionStorage.getItem('api-key'))).toBe('cms_wrong');
      await page.reload();
      expect(await page.getByLabel('API key').inputValue()).toBe('cms_wrong');
      await page.context().close();
    });

    it('says why a request was not sent or answered', async () => {
      const page = await open('/docs');
      const operation = page.locator('#listTags');
      const status = operation.locator('.result [role=status]');
      await operation.locator('.try > summary').click();
      const sendAnd = async (expected: string) => {
        await operation.getByRole('button', { name: 'Send' }).click();
        await status.getByText(expected, { exact: true }).waitFor();
      };
      await page.route('**/v1/tags**', (route) => route.abort());
      await sendAnd('The service does not respond.');
      await page.getByLabel('API key').fill('schlüssel ☃');
      await sendAnd('The key or a header contains characters that HTTP does not allow.');
      // Chromium logs the request without an answer.
      faults.splice(0);
      await page.context().close();
    });

    it('keeps the key and the input out of the address if the script could not be loaded', async () => {
      const page = await open('about:blank');
      await page.route('**/try-it.js', (route) => route.abort());
      await page.goto(`${visited.address}/docs`);
      // Chromium logs the script that is not loaded.
      faults.splice(0);
      await page.getByLabel('API key').fill('cms_secret');
      await page.getByLabel('API key').press('Enter');
      const operation = page.locator('#createMember');
      await operation.getByText('Try it', { exact: true }).click();
      await operation.getByRole('button', { name: 'Send' }).click();
      expect(page.url()).toBe(`${visited.address}/docs`);
      await page.context().close();
    });

    it('sends requests if the browser blocks the storage of the site', async () => {
      const page = await open('about:blank');
      await blockStorage(page);
      await page.goto(`${visited.address}/docs`);
      expect((await send(page, 'listTags')).body.data).toEqual([]);
      expect(await page.evaluate(() => CSS.highlights.size)).toBeGreaterThan(0);
      await page.context().close();
    });

    it('sends GraphQL operations with their variables', async () => {
      const page = await open('/docs/graphql');
      expect((await send(page, 'members')).body.data.members.nodes[0].lastName).toBe('Okonkwo');
      expect((await send(page, 'recipe-form-answers')).body.data).toEqual({ forms: { edges: [] } });
      await page.context().close();
    });

    it('shows all samples in the selected language, with the URL of the service', async () => {
      const page = await open('/docs');
      await page.locator('#getMember').getByText('TypeScript', { exact: true }).click();
      for (const visit of ['first', 'next']) {
        const sample = page.locator('#listMembers pre:visible').first();
        expect(await sample.textContent(), visit).toContain(`fetch('${visited.address}/v1/members?limit=2'`);
        await page.reload();
      }
      await page.context().close();
    });

    it('copies the visible sample', async () => {
      const page = await open('/docs', { permissions: ['clipboard-read', 'clipboard-write'] });
      const operation = page.locator('#listTags');
      await operation.getByText('GraphQL', { exact: true }).click();
      await operation.getByRole('button', { name: 'Copy the sample' }).click();
      await operation.getByText('Copied').waitFor();
      const copied = await page.evaluate(() => navigator.clipboard.readText());
      expect(copied).toMatch(/^\{\n {2}tags\(first: 2\) \{/);
      await page.context().close();
    });

    it('sends no external requests and logs no errors, such as violations of its content security policy', () => {
      expect([outside, faults]).toEqual([[], []]);
    });
  });
});
