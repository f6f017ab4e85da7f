import { defineConfig } from 'vitest/config';
import all from './vitest.ts';

export default defineConfig({
  ...all,
  test: {
    ...all.test,
    include: ['test/browser/**/*.test.ts'],
    exclude: [],
    // Each process starts a browser, which uses most of the CPU time.
    maxWorkers: 2,
  },
});
