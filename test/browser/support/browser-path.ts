import { existsSync } from 'node:fs';

/** Debian's headless shell takes about two thirds of the CPU time of the complete browser. */
const CANDIDATES = [
  process.env.TEST_CHROMIUM,
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/** The path of a browser; undefined if there is none. */
export const browserPath = CANDIDATES.find((path) => path !== undefined && existsSync(path));
