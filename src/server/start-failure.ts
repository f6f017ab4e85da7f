import type { Settings } from '../settings.ts';
import { DirectoryInUseError } from '../store/embedded/directory-lock.ts';
import { EmbeddedDatabaseUnusableError } from '../store/embedded/failure.ts';
import { causeOf } from '../store/errors.ts';

/** Describes why the service cannot start, with advice. */
export function describeStartFailure(error: unknown, settings: Settings): string {
  if (error instanceof DirectoryInUseError) {
    return `${error.message}. Stop it, or set another DATA_DIR or DATABASE_URL.`;
  }
  if (error instanceof EmbeddedDatabaseUnusableError) return `${error.message}; ${error.advice}.`;
  const { code, message, stack, port } = error as NodeJS.ErrnoException & { readonly port?: number };
  if (code === 'EADDRINUSE') {
    const setting = port !== undefined && port === settings.metricsPort ? 'METRICS_PORT' : 'PORT';
    return `${message}. Stop the process that uses it, or set another ${setting}.`;
  }
  return ['trace', 'debug'].includes(settings.logLevel) ? (stack ?? message) : causeOf(error);
}
