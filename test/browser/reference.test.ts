import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { person } from '../support/data.ts';
import { onOneStore } from '../support/service.ts';
import { barriersInEachLook } from './support/axe.ts';
import { inBrowser } from './support/browser.ts';

const PAGES = ['/docs', '/docs/graphql'];

onOneStore((service) => {
  const appOf = async () => {
    const organization = await service.organization();
    await organization.post('/members', person({ last_name: 'Okonkwo' }));
    return service.appWith({ docs: { demoKey: organization.key } });
  };
  inBrowser(appOf, (visited) => {
    /** The section of an operation, with its form open. */
    const tried = async (page: Page, id: string) => {
      const operation = page.locator(`[id="${id}"]`);
      await operation.locator('.try').evaluate((details: HTMLDetailsElement) => {
        details.open = true;
      });
      return operation;
    };
    const send = async (page: Page, id: string) => {
      const operation = await tried(page, id);
      await operation.getByRole('button', { name: 'Send' }).click();
      const status = operation.locator('form [role=status]');
      await expect.poll(() => status.textContent()).toMatch(/ ms$/);
      const answer = operation.locator('.example');
      const body = JSON.parse((await answer.locator('pre').textContent()) ?? '');
      return { answer, status, body };
    };
    const sampleIn = (operation: Locator) => operation.locator('.samples pre:visible').textContent();
    const visibleLinks = (page: Page) => page.locator('.contents ul ul a:visible').allTextContents();

    it.each(PAGES)('shows %s without JavaScript, but without the parts that require it', async (path) => {
      const page = await visited.open(path, { javaScriptEnabled: false });
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
    });

    it.each(PAGES)('is accessible at %s in two widths and color schemes, with all sections open', async (path) => {
      const page = await visited.open(path);
      await send(page, path === '/docs' ? 'listMembers' : 'members');
      await page.evaluate(() => {
        for (const details of document.querySelectorAll('details')) details.open = true;
      });
      expect(await barriersInEachLook(page)).toEqual([]);
    });

    it('leads from the address bar to a response with the keyboard only, with visible focus', async () => {
      const page = await visited.open('/docs');
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
      await page.locator('#listMembers .example details').waitFor();
      expect(await page.locator('#listMembers .example pre').textContent()).toContain('"Okonkwo"');
    });

    it('sends requests with the key, and shows status, rate limit and body', async () => {
      const page = await visited.open('/docs');
      const { answer, status, body } = await send(page, 'createMember');
      expect(body.data.email_address).toBe('robin.field@example.org');
      expect(await status.textContent()).toMatch(/^201 Created in \d+ ms$/);
      expect(await answer.locator('dl').isVisible()).toBe(false);
      await answer.getByText('Headers').click();
      expect(await answer.locator('dl').textContent()).toMatch(/X-RateLimit-Limit\d+X-RateLimit-Remaining\d+/);
      await page.getByLabel('API key', { exact: true }).fill('cms_wrong');
      await page.getByLabel('API key', { exact: true }).press('Tab');
      expect((await send(page, 'listMembers')).body.error.code).toBe('invalid_api_key');
      // GraphiQL uses the same stored key.
      expect(await page.evaluate(() => sessionStorage.getItem('api-key'))).toBe('cms_wrong');
      await page.reload();
      expect(await page.getByLabel('API key', { exact: true }).inputValue()).toBe('cms_wrong');
    });

    it('keeps the key and the input out of the address if the script could not be loaded', async () => {
      const page = await visited.open('about:blank');
      await page.route('**/try-it.js', (route) => route.abort());
      await page.goto(`${visited.address}/docs`);
      // Chromium logs the script that is not loaded.
      visited.faults.splice(0);
      await page.getByLabel('API key', { exact: true }).fill('cms_secret');
      await page.getByLabel('API key', { exact: true }).press('Enter');
      const operation = page.locator('#createMember');
      await operation.getByText('Try it', { exact: true }).click();
      await operation.getByRole('button', { name: 'Send' }).click();
      expect(page.url()).toBe(`${visited.address}/docs`);
    });

    it('has an input of the right kind for each parameter, and its value is in the sample and the request', async () => {
      const page = await visited.open('/docs');
      const operation = await tried(page, 'listMembers');
      expect(await sampleIn(operation)).toContain('/v1/members?limit=2');
      await operation.getByLabel('is_guest').selectOption('false');
      await operation.getByLabel('order_by').selectOption('-name');
      await operation.getByLabel('tag_id').fill('tag_1, tag_2');
      const query = '/v1/members?limit=2&tag_id=tag_1&tag_id=tag_2&is_guest=false&order_by=-name';
      for (const language of ['curl', 'TypeScript', 'Python']) {
        await operation.getByText(language, { exact: true }).click();
        expect([language, await sampleIn(operation)]).toEqual([language, expect.stringContaining(query)]);
      }
      expect((await send(page, 'listMembers')).body.error.details[0].field).toBe('tag_id');
      expect(await page.locator('#listEvents [name=from]').getAttribute('type')).toBe('date');
      await operation.getByRole('button', { name: 'Reset' }).click();
      await expect.poll(() => sampleIn(operation)).toContain('/v1/members?limit=2"');
      expect(await operation.locator('.example figcaption').textContent()).toBe('Response 200');
      const one = await tried(page, 'getMember');
      await one.getByLabel('object_id').fill('');
      await one.getByRole('button', { name: 'Send' }).click();
      expect(await one.locator(':invalid').count()).toBeGreaterThan(0);
      expect(await one.locator('.example details').count()).toBe(0);
    });

    it('writes the body and, on request, the key into the sample of each language', async () => {
      const page = await visited.open('/docs');
      const operation = await tried(page, 'updateMember');
      await operation.getByLabel('body').fill(`{\n  "city": "L'Aquila",\n  "is_guest": true\n}`);
      await operation.getByRole('button', { name: 'Insert the key' }).click();
      const key = await page.getByLabel('API key', { exact: true }).inputValue();
      for (const [language, body, header] of [
        ['curl', `-d '{\n  "city": "L'\\''Aquila",\n  "is_guest": true\n}'`, `"X-Api-Key: ${key}"`],
        [
          'TypeScript',
          `stringify({\n    "city": "L'Aquila",\n    "is_guest": true\n  }),\n});`,
          `'X-Api-Key': '${key}'`,
        ],
        ['Python', `json={\n      "city": "L'Aquila",\n      "is_guest": True\n    },\n)`, `"X-Api-Key": "${key}"`],
      ] as const) {
        await operation.getByText(language, { exact: true }).click();
        const sample = await sampleIn(operation);
        expect([language, sample]).toEqual([language, expect.stringContaining(body)]);
        expect([language, sample]).toEqual([language, expect.stringContaining(header)]);
      }
      await operation.getByRole('button', { name: 'Insert the key' }).click();
      expect(await page.locator('.samples').allTextContents()).not.toContainEqual(expect.stringContaining(key));
    });

    it('shows each sample as it was served until a form is changed', async () => {
      const page = await visited.open('/docs');
      const samples = () => page.locator('.samples pre').allTextContents();
      const before = await samples();
      await page.getByLabel('API key', { exact: true }).press('End');
      await page.getByLabel('API key', { exact: true }).pressSequentially('x');
      expect(await samples()).toEqual(before);
    });

    it('sends GraphQL operations with their variables, and shows them in the sample', async () => {
      const page = await visited.open('/docs/graphql');
      expect((await send(page, 'members')).body.data.members.nodes[0].lastName).toBe('Okonkwo');
      expect((await send(page, 'recipe-form-answers')).body.data).toEqual({ forms: { nodes: [] } });
      const operation = await tried(page, 'members');
      await operation.getByLabel('query').fill('{ viewer { keyName } }');
      expect(await sampleIn(operation)).toBe('{ viewer { keyName } }');
      expect((await send(page, 'members')).body.data.viewer.keyName).toEqual(expect.any(String));
    });

    it('sends no external requests and logs no errors, such as violations of its content security policy', () => {
      expect(visited.faults).toEqual([]);
    });
  });
});
