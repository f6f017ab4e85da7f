/** Thrown when the embedded database cannot be opened: names the directory and the cause, in one line. */
export class EmbeddedDatabaseUnusable extends Error {
  /** What would be right. */
  readonly advice = 'DATA_DIR must name a folder that you may read and write, on a disk with room';

  constructor(
    readonly directory: string,
    override readonly cause: unknown,
  ) {
    super(`cannot use the data directory ${directory} (${causeOf(cause)})`);
  }
}

function causeOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).trim().replaceAll(/\s*\n\s*/g, ' ');
}
