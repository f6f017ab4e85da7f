import { statfsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Runs the files that wait for processes and databases first: at the end, they would leave the other workers idle. */
class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const waits = ({ moduleId }: TestSpecification) => /\/test\/(backup|cli|server|store\/embedded)\//.test(moduleId);
    return [...sorted.filter(waits), ...sorted.filter((file) => !waits(file))];
  }
}

// Embedded databases have a thousand files each: in memory, copying and removing them takes a fifth of the time.
const MEMORY = '/dev/shm';
if (!process.env.TMPDIR && freeBytes(MEMORY) > 1024 ** 3) process.env.TMPDIR = MEMORY;

function freeBytes(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return 0;
  }
}

export default defineConfig({
  // One copy of graphql: Vite would load its .mjs files, and the libraries load the .js files.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    root: fileURLToPath(new URL('..', import.meta.url)),
    include: ['test/**/*.test.ts'],
    exclude: ['test/browser/**', 'test/faults/**', 'test/memory/**', 'test/clients/**', 'test/bench/**'],
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/setup.ts'],
    // Test files share imported modules; each test creates separate data.
    isolate: false,
    sequence: { sequencer: WaitingFirst },
    // More than two, because many tests wait: for processes, timeouts or pages.
    maxWorkers: 3,
    execArgv: [
      // A young generation larger than that of `npm start` reduces copying.
      '--max-semi-space-size=64',
      // For embedded databases, optimizing the code takes longer than running it.
      '--liftoff-only',
    ],
    testTimeout: 120_000,
    hookTimeout: 240_000,
    // In CI, a test that fails runs a second time.
    retry: process.env.CI ? 1 : 0,
    // Long enough for a busy machine; only failing tests wait as long.
    expect: { poll: { timeout: 60_000, interval: 20 } },
    reporters: ['default'],
  },
});
