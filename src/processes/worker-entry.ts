import { extname } from 'node:path';

/** The file and arguments with which Node.js runs a module in a worker thread or a child process. */
export interface WorkerEntry {
  readonly file: URL;
  /** The arguments that `file` needs; the caller can append others. */
  readonly argv: string[];
}

/**
 * Returns how to run a module in a worker thread or a child process: from TypeScript in development, otherwise its
 * compiled file.
 *
 * @param module its path relative to the caller, without the extension, such as `./worker`.
 * @param caller `import.meta.url` of the calling module.
 */
export function workerEntry(module: string, caller: string): WorkerEntry {
  const isSource = extname(caller) === '.ts';
  const url = new URL(`${module}${isSource ? '.ts' : '.js'}`, caller);
  return { file: isSource ? new URL('../../.config/worker-from-source.mjs', import.meta.url) : url, argv: [url.href] };
}
