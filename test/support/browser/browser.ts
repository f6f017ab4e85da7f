import { existsSync } from 'node:fs';
import type { Server } from 'node:http';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe } from 'vitest';
import type { App } from '../../../src/app.ts';
import { createHttpServer, listen } from '../../../src/server/http-server.ts';

const CANDIDATES = [
  process.env.TEST_CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/** The browser of this machine; undefined where there is none. */
const browserPath = CANDIDATES.find((path) => path !== undefined && existsSync(path));

let shared: Promise<Browser> | undefined;

/** The browser of all test files in this process, with which it ends; asks nothing of the network by itself. */
function sharedBrowser(): Promise<Browser> {
  shared ??= chromium.launch({
    executablePath: browserPath as string,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
  return shared;
}

/** A browser and the address of the app that it visits. */
export interface Visited {
  readonly browser: Browser;
  readonly address: string;
}

/** Runs a suite in a browser that visits an app; it is skipped, and says so, where there is none. */
export function inBrowser(appOf: () => App | Promise<App>, suite: (visited: Visited) => void): void {
  describe.skipIf(!browserPath)(`in a browser${browserPath ? '' : ' (skipped: no Chromium on this machine)'}`, () => {
    let server: Server;
    let address: string;
    let browser: Browser;
    beforeAll(async () => {
      server = createHttpServer(await appOf());
      address = await listen(server, 0, '127.0.0.1');
      browser = await sharedBrowser();
    });
    afterAll(async () => {
      await Promise.all(browser?.contexts().map((context) => context.close()) ?? []);
      server?.close();
    });
    suite({
      get browser() {
        return browser;
      },
      get address() {
        return address;
      },
    });
  });
}
