// A worker thread in development and in tests: a thread does not have the loader of the one that starts it. The argument
// is the URL of its module.
import { register } from 'tsx/esm/api';

register();
await import(process.argv[2]);
