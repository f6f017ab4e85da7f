import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['test/faults/**/*.test.ts'],
    fileParallelism: false,
    testTimeout: 60_000,
    reporters: ['verbose'],
  },
});
