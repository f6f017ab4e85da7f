import { extname } from 'node:path';

/** What Node.js runs to start a module of this service in a worker thread or a child process. */
export interface WorkerEntry {
  readonly file: URL;
  /** The first arguments; own ones can follow. */
  readonly argv: string[];
}

/**
 * The entry of a module beside the calling one.
 *
 * @param module its relative path without the extension, such as `./worker`.
 * @param caller `import.meta.url` of the calling module.
 */
export function workerEntry(module: string, caller: string): WorkerEntry {
  const isSource = extname(caller) === '.ts';
  const url = new URL(`${module}${isSource ? '.ts' : '.js'}`, caller);
  return { file: isSource ? new URL('../../.config/worker-from-source.mjs', import.meta.url) : url, argv: [url.href] };
}
