// Starts a worker thread in development and in tests, since threads do not inherit the module loader of their parent. The
// argument is the URL of its TypeScript module. Tests compile the modules once, see `test/support/threads.ts`.
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
