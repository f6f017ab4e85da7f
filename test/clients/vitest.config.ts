import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    globalSetup: ['support/start-service.ts'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
