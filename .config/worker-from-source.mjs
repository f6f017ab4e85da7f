// The thread of the embedded database in development and in tests: a thread does not have the loader of the one that
// starts it.
import { register } from 'tsx/esm/api';

register();
await import('../src/store/embedded/worker.ts');
