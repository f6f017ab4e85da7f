/** Thrown when the embedded database cannot be opened: names the directory and the cause, in one line. */
export class EmbeddedDatabaseUnusableError extends Error {
  /** What would be right. */
  readonly advice = 'DATA_DIR must name a folder that you may read and write, on a disk with room';

  constructor(
    readonly directory: string,
    override readonly cause: unknown,
  ) {
    super(`cannot use the data directory ${directory} (${messageOf(cause)})`);
  }
}

/** The numbers of WebAssembly's system interface for what keeps a file from being written. */
const FILE_SYSTEM_ERRORS: Readonly<Record<number, string>> = {
  2: 'permission denied',
  19: 'disk quota exceeded',
  29: 'input/output error',
  51: 'no space left on device',
  63: 'operation not permitted',
  69: 'read-only file system',
};

/** What an error says, in one line; PGlite's file system throws numbers without a message. */
export function messageOf(error: unknown): string {
  const { errno, message } = Object(error) as { readonly errno?: number; readonly message?: string };
  const text = message || (errno === undefined ? String(error) : (FILE_SYSTEM_ERRORS[errno] ?? `error ${errno}`));
  // WebAssembly's own word for a process that ended itself, with advice for who compiles it.
  if (text.startsWith('Aborted(')) return 'PostgreSQL ended itself without a reason; is there room on the disk?';
  return text.trim().replaceAll(/\s*\n\s*/g, ' ');
}
