// Starts a worker thread in development and in tests, since threads do not inherit the module loader of their parent. The
// argument is the URL of its module.
import { register } from 'tsx/esm/api';

register();
await import(process.argv[2]);
