import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { browserPath } from '../../browser/support/browser-path.ts';
import type { Outcome } from '../../runner/run-suite.ts';
import { type Block, blocksOf } from './page.ts';
import { expectPrinted } from './printed.ts';
import { run, type StartedService, start, startedService, stop } from './running.ts';

const PAGE = 'README.md';

/** A user without rights and, usually, without processes. */
const NOBODY = 65_534;

const PASSWORD = 'correct horse battery staple';

/** Of all tests, which `.ci/run` runs anyway, those of processes, files and the embedded database. */
const TESTS = ['test/cli/process.test.ts', 'test/file-system', 'test/server', 'test/store/embedded'];

/**
 * Follows README in a clone, in the environment of somebody who has nothing but Node.js and a browser: a folder with a
 * space and a letter beyond ASCII, another user than root if possible, no variable `USER`, no PostgreSQL and no Redis. The
 * service is installed and started with `NODE_ENV=production`, and tested without it, with `CI` set: only {@link TESTS}.
 */
export async function walkReadme(root: string): Promise<Outcome> {
  const home = mkdtempSync(join(tmpdir(), 'cms-readme-'));
  const folder = join(home, 'My Projekté');
  const failures: string[] = [];
  let passed = 0;
  const attempt = async (place: string, work: () => Promise<void>) => {
    try {
      await work();
      passed += 1;
    } catch (error) {
      failures.push(`${place}: ${(error as Error).message}`);
    }
  };
  try {
    mkdirSync(folder);
    execFileSync('git', ['clone', '--quiet', root, folder]);
    const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
    if (user.uid) execFileSync('chown', ['-R', `${user.uid}:${user.gid}`, home]);
    const env = { PATH: process.env.PATH, HOME: home, PORT: '0', TEST_SERVERS: 'none' };
    const [starting, banner, testing, ...requests] = blocksOf(folder, PAGE).filter(
      ({ section }) => section !== 'Architecture',
    ) as [Block, Block, Block, ...Block[]];
    const command = start(starting.text, { folder, user, env: { ...env, NODE_ENV: 'production' } });
    try {
      await attempt(starting.place, async () => {
        const service = await startedService(command);
        await attempt(banner.place, async () => expectPrinted(service.banner, local(banner.text, service)));
        for (const { text, place } of requests)
          await attempt(place, () => request(local(text, service), service, folder));
        await attempt(`${PAGE}, in a browser`, () => createKey(root, service));
      });
    } finally {
      await stop(command);
    }
    await attempt(testing.place, async () => {
      const command = testing.text.replace('npm test', `npm test -- ${TESTS.join(' ')}`);
      const { code, output } = await run(command, { folder, user, env: { ...env, CI: 'true' } });
      if (code !== 0) throw new Error(`exit code ${code}: ${output.slice(-4_000)}`);
    });
    return { passed, failures, unstable: [] };
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** The text with the address of the service. */
function local(text: string, { address }: StartedService): string {
  return text.replaceAll('http://127.0.0.1:4000', address);
}

/** Runs a command that sends a request; its response must be a success. */
async function request(command: string, { demoKey }: StartedService, folder: string): Promise<void> {
  const { code, output } = await run(command.replace(/^curl /, 'curl -fsS '), {
    folder,
    env: { PATH: process.env.PATH, API_KEY: demoKey },
  });
  if (code !== 0 || /"errors?":/.test(output)) throw new Error(`exit code ${code}: ${output}`);
}

/** Follows “Create your own key” with the names that it quotes, and opens the pages that README lists. */
async function createKey(root: string, { address, banner }: StartedService): Promise<void> {
  const text = readFileSync(join(root, PAGE), 'utf8');
  const [paragraph = ''] = /\*\*Create your own key\.\*\*[\s\S]*?\n\n/.exec(text) ?? [];
  const [link = ''] = /http\S+set-password\S+/.exec(banner) ?? [];
  const browser = await chromium.launch({ executablePath: browserPath as string, args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage();
    page.setDefaultTimeout(60_000);
    for (const [, path = ''] of text.matchAll(/<http:\/\/127\.0\.0\.1:4000(\/[^>]+)>/g)) {
      const response = await page.goto(address + path);
      if (response?.status() !== 200) throw new Error(`${path}: ${response?.status()}`);
    }
    await page.goto(link);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Set password' }).click();
    for (const [, name = ''] of paragraph.matchAll(/“([^”]+)”/g)) {
      const created = page.waitForResponse((response) => response.request().method() === 'POST');
      const isSubmit = await page.getByRole('button', { name, exact: true }).count();
      await page.getByRole(isSubmit > 0 ? 'button' : 'link', { name, exact: true }).click();
      if (isSubmit === 0) created.catch(() => {});
      else if ((await created).status() !== 201) throw new Error(`“${name}”: ${(await created).status()}`);
    }
    const shown = await page.locator('main').textContent();
    if (!/cms_\w{38}/.test(shown ?? '') || !shown?.includes('curl')) throw new Error(`no key: ${shown}`);
  } finally {
    await browser.close();
  }
}
