import type { Server } from 'node:http';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHttpServer, listen } from '../../src/server/http-server.ts';
import { barriers } from '../support/browser/axe.ts';
import { browserPath, openBrowser } from '../support/browser/browser.ts';
import { person } from '../support/data.ts';
import { onOneStore } from '../support/service.ts';

onOneStore((service) => {
  const html = (docs?: { demoKey: string | undefined }) =>
    service.appWith(docs ? { docs } : {}).fetch(new Request('http://service.test/docs'));

  it('is served without authentication and rate limiting', async () => {
    const response = await html({ demoKey: undefined });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^text\/html/);
    expect(response.headers.get('x-ratelimit-limit')).toBeNull();
  });

  it('has the demo key prefilled, if there is one', async () => {
    expect(await (await html({ demoKey: 'cms_of-the-demo' })).text()).toContain('value="cms_of-the-demo"');
    expect(await (await html({ demoKey: undefined })).text()).not.toMatch(/cms_[0-9a-z]/);
  });

  it('is not served or linked when it is disabled', async () => {
    expect((await html()).status).toBe(401);
    const start = (app: typeof service.app) => app.fetch(new Request('http://service.test/'));
    expect(await (await start(service.app)).text()).not.toContain('href="/docs"');
    const on = service.appWith({ docs: { demoKey: undefined } });
    expect(await (await start(on)).text()).toContain('href="/docs"');
  });

  it('allows no external resources and no inline scripts and styles', async () => {
    const response = await html({ demoKey: undefined });
    const policy = response.headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe');
    expect(await response.text()).not.toMatch(/(src|href)="(https?:)?\/\//);
  });

  describe.skipIf(!browserPath)(`in a browser${browserPath ? '' : ' (skipped: no Chromium on this machine)'}`, () => {
    let server: Server;
    let browser: Browser;
    let page: Page;
    const outside: string[] = [];
    const faults: string[] = [];

    beforeAll(async () => {
      const organization = await service.organization();
      await organization.post('/members', person({ last_name: 'Okonkwo' }));
      server = createHttpServer(service.appWith({ docs: { demoKey: organization.key } }));
      const address = await listen(server, 0, '127.0.0.1');
      browser = await openBrowser();
      // Wait for color transitions to end.
      page = await browser.newPage({ reducedMotion: 'reduce' });
      page.setDefaultTimeout(15_000);
      await page.route('**/*', (route) => {
        if (route.request().url().startsWith(address)) return route.continue();
        outside.push(route.request().url());
        return route.abort();
      });
      page.on('pageerror', (error) => faults.push(error.message));
      page.on('console', (message) => {
        if (message.type() === 'error') faults.push(message.text());
      });
      await page.goto(`${address}/docs`);
      await page.getByRole('button', { name: 'List members' }).waitFor();
    });
    afterAll(async () => {
      await browser?.close();
      server.close();
    });

    /** Opens an operation and sends its prefilled request. @returns the response. */
    const tryIt = async (id: string) => {
      const operation = page.locator(`[id$="-${id}"]`);
      await operation.locator('.opblock-summary-control').click();
      await operation.getByRole('button', { name: 'Execute' }).click();
      const answer = operation.locator('.live-responses-table .response');
      await answer.waitFor();
      return {
        status: Number.parseInt((await answer.locator('.response-col_status').textContent()) ?? '', 10),
        body: JSON.parse((await answer.locator('.microlight').first().textContent()) ?? ''),
      };
    };

    it('is accessible while all operations are closed', async () => {
      expect(await barriers(page)).toEqual([]);
    });

    it('lists members with the prefilled key', async () => {
      const { status, body } = await tryIt('listMembers');
      expect([status, body.data[0].last_name]).toEqual([200, 'Okonkwo']);
    });

    it('creates the member of the example', async () => {
      const { status, body } = await tryIt('createMember');
      expect([status, body.data.email_address]).toEqual([201, 'robin.field@example.org']);
    });

    it.each([
      ['wide', { width: 1280, height: 800 }, 'light'],
      ['narrow', { width: 320, height: 640 }, 'light'],
      ['dark', { width: 1280, height: 800 }, 'dark'],
    ] as const)('keeps nobody out and scrolls one way with answers on the page, %s', async (_, size, colorScheme) => {
      await page.setViewportSize(size);
      await page.emulateMedia({ colorScheme });
      expect(await barriers(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
    });

    it('sends no external requests and logs no errors', () => {
      expect(outside.filter((url) => !/^(data|blob):/.test(url))).toEqual([]);
      expect(faults).toEqual([]);
    });

    it('uses another key that is entered', async () => {
      await page.getByLabel('API key').fill('cms_wrong');
      await page.getByLabel('API key').press('Tab');
      const { status, body } = await tryIt('getMember');
      expect([status, body.error.code]).toEqual([401, 'invalid_api_key']);
    });
  });
});
