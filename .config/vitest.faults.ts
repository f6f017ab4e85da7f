import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: fileURLToPath(new URL('..', import.meta.url)),
    include: ['test/faults/**/*.test.ts'],
    globalSetup: 'test/faults/support/scratch-folder.ts',
    fileParallelism: false,
    // Long enough for a busy machine; only failing tests wait as long.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    reporters: ['verbose'],
  },
});
