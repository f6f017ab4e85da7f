/** A certificate file that the URL of a server names cannot be read. */
export class CertificateFileError extends Error {
  override name = 'CertificateFileError';

  constructor(override readonly cause: NodeJS.ErrnoException) {
    super(`A certificate file cannot be read (${cause.message})`);
  }

  /** Whether it was not opened because too many files are open. */
  get isTemporary(): boolean {
    return ['EMFILE', 'ENFILE'].includes(this.cause.code ?? '');
  }
}

/**
 * Calls a function that creates a client. The driver then reads the certificate files of the URL, whose errors could
 * otherwise not be distinguished from those of other files.
 *
 * @throws {CertificateFileError}
 */
export function readingCertificates<Result>(createClient: () => Result): Result {
  try {
    return createClient();
  } catch (error) {
    if (!(error instanceof Error) || (error as NodeJS.ErrnoException).syscall === undefined) throw error;
    throw new CertificateFileError(error);
  }
}
