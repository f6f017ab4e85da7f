import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** The modules that run in worker threads and child processes. */
const MODULES = ['src/store/embedded/worker.ts'];

/**
 * Compiles the modules of worker threads and child processes to JavaScript, which `.config/worker-from-source.mjs` then imports: otherwise
 * each of about 100 threads and processes would compile TypeScript again.
 *
 * @returns a new folder, within the repository because the modules import its packages.
 */
export async function compileThreads(): Promise<string> {
  const folder = await mkdtemp(join(ROOT, 'node_modules/.cms-threads-'));
  await build({
    configFile: false,
    logLevel: 'error',
    build: {
      ssr: true,
      outDir: folder,
      target: 'node20',
      rolldownOptions: { input: MODULES.map((module) => join(ROOT, module)) },
    },
  });
  process.env.COMPILED_THREADS = folder;
  return folder;
}
