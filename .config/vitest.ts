import { defineConfig } from 'vitest/config';

export default defineConfig({
  // One copy of graphql: Vite would take its .mjs files, and the libraries take the others.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['test/**/*.test.ts'],
    exclude: ['test/faults/**', 'test/clients/**', 'test/bench/**'],
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/setup.ts'],
    // Files share what they import; each test makes its own data.
    isolate: false,
    maxWorkers: 2,
    // As `npm start` does: with a larger young generation, less is copied.
    execArgv: ['--max-semi-space-size=64'],
    testTimeout: 120_000,
    hookTimeout: 240_000,
    // Long enough for a busy machine; only a test that fails waits as long.
    expect: { poll: { timeout: 60_000, interval: 20 } },
    reporters: ['default'],
  },
});
