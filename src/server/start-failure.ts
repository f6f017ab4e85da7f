import type { Settings } from '../settings.ts';
import { DirectoryInUseError } from '../store/embedded/directory-lock.ts';
import { EmbeddedDatabaseUnusableError } from '../store/embedded/unusable-database.ts';
import { causeOf, describeServerError, isStoreUnavailable } from '../store/errors.ts';

/** An error of `listen`; `hostname` is a name that could not be resolved. */
interface ListenError extends NodeJS.ErrnoException {
  readonly port?: number;
  readonly hostname?: string;
}

/** Describes why the service cannot start, with advice. */
export function describeStartFailure(error: unknown, settings: Settings): string {
  if (error instanceof DirectoryInUseError) {
    return `${error.message}. Stop it, or set another DATA_DIR or DATABASE_URL.`;
  }
  if (error instanceof EmbeddedDatabaseUnusableError) return `${error.message}; ${error.advice}.`;
  const { code = '', message, stack, port, hostname } = error as ListenError;
  const setting = port !== undefined && port === settings.metricsPort ? 'METRICS_PORT' : 'PORT';
  if (code === 'EADDRINUSE') return `${message}. Stop the process that uses it, or set another ${setting}.`;
  if (code === 'EACCES' && port !== undefined)
    return `${message}. Set ${setting} to 1024 or more, or allow it for this user.`;
  if (code === 'EADDRNOTAVAIL' || hostname === settings.host) {
    return `HOST must be an address of this machine, such as 127.0.0.1 or 0.0.0.0; it is ${JSON.stringify(settings.host)} (${message}). Other programs, such as conda, set this variable too.`;
  }
  if (settings.databaseUrl && isStoreUnavailable(error))
    return `${describeServerError(error, settings.databaseUrl, 'DATABASE_URL')}.`;
  return ['trace', 'debug'].includes(settings.logLevel) ? (stack ?? message) : causeOf(error);
}
