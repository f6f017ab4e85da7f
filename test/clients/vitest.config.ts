import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    globalSetup: ['support/start-service.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
