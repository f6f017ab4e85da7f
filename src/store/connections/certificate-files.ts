/** Thrown when a certificate file that is named in a database URL cannot be read. */
export class CertificateFileError extends Error {
  override name = 'CertificateFileError';

  constructor(override readonly cause: NodeJS.ErrnoException) {
    super(`A certificate file cannot be read (${cause.message})`);
  }

  /** Whether retrying may help, because too many files were open. */
  get isTemporary(): boolean {
    return ['EMFILE', 'ENFILE'].includes(this.cause.code ?? '');
  }
}

/**
 * Calls a function that creates a client, and wraps the errors of the certificate files that the driver reads, which could
 * otherwise not be distinguished from those of other files.
 *
 * @throws {CertificateFileError}
 */
export function wrapCertificateErrors<Result>(createClient: () => Result): Result {
  try {
    return createClient();
  } catch (error) {
    if (!(error instanceof Error) || (error as NodeJS.ErrnoException).syscall === undefined) throw error;
    throw new CertificateFileError(error);
  }
}
