import { defineConfig } from 'vitest/config';
import all from './vitest.ts';

export default defineConfig({
  ...all,
  test: {
    ...all.test,
    include: ['test/memory/**/*.test.ts'],
    exclude: [],
    // Other work on the machine delays requests, which then survive more collections.
    maxWorkers: 1,
  },
});
