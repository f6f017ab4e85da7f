import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const CANDIDATES = [
  process.env.TEST_CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/** The browser of this machine; undefined where there is none. */
export const browserPath = CANDIDATES.find((path) => path !== undefined && existsSync(path));

/** Starts a headless browser that asks nothing of the network by itself. */
export function openBrowser(): Promise<Browser> {
  if (!browserPath) throw new Error('no Chromium on this machine');
  return chromium.launch({
    executablePath: browserPath,
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
}
