import { defineConfig } from 'vitest/config';
import all from './vitest.ts';

export default defineConfig({
  ...all,
  test: {
    ...all.test,
    include: ['test/memory/**/*.test.ts'],
    exclude: [],
    // On a slow machine, the requests of one test take longer than two minutes.
    testTimeout: 300_000,
    // Other work on the machine delays requests, which then survive more collections.
    maxWorkers: 1,
  },
});
