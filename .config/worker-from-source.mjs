// Starts a worker thread or a child process in development and in tests, because it does not inherit the module loader of
// its parent. The first argument is the URL of its TypeScript module. Tests compile the modules once, see `test/support/threads.ts`.
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';

const [, , module] = process.argv;
const { COMPILED_THREADS } = process.env;
if (COMPILED_THREADS) {
  await import(new URL(basename(module, '.ts') + '.js', pathToFileURL(`${COMPILED_THREADS}/`)));
} else {
  const { register } = await import('tsx/esm/api');
  register();
  await import(module);
}
