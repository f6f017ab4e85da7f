/** Thrown when the embedded database cannot be opened; the message has the directory and the cause on one line. */
export class EmbeddedDatabaseUnusableError extends Error {
  /** How to solve the problem. */
  readonly advice = 'DATA_DIR must be a readable and writable directory on a disk with free space';

  constructor(
    readonly directory: string,
    override readonly cause: unknown,
  ) {
    super(`cannot use the data directory ${directory} (${messageOf(cause)})`);
  }
}

/** Error numbers of the WebAssembly System Interface. */
const FILE_SYSTEM_ERRORS: Readonly<Record<number, string>> = {
  2: 'permission denied',
  19: 'disk quota exceeded',
  29: 'input/output error',
  51: 'no space left on device',
  63: 'operation not permitted',
  69: 'read-only file system',
};

/** The message of an error on one line; PGlite's file system throws numbers without a message. */
export function messageOf(error: unknown): string {
  const { errno, message } = Object(error) as { readonly errno?: number; readonly message?: string };
  const text = message || (errno === undefined ? String(error) : (FILE_SYSTEM_ERRORS[errno] ?? `error ${errno}`));
  // The message of Emscripten for an aborted process contains only advice for developers.
  if (text.startsWith('Aborted(')) return 'PostgreSQL aborted without a reason; is the disk full?';
  return text.trim().replaceAll(/\s*\n\s*/g, ' ');
}
