import pg from 'pg';

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
 * Creates a client. The driver then reads the certificate files of a URL; without this, their errors could not be
 * distinguished from those of other files.
 *
 * @throws {CertificateFileError}
 */
export function createClient(config: pg.ClientConfig): pg.Client {
  try {
    return new pg.Client(config);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
    throw new CertificateFileError(error as NodeJS.ErrnoException);
  }
}
