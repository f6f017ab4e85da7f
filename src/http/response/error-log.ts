import type { Logger } from 'pino';
import { ServiceError } from '../../domain/core/errors.ts';
import { isReadTimeout, toServiceError } from './error-status.ts';

/** Logs an error of a request, unless the client caused it. */
export type ErrorLog = (error: unknown, requestId: string) => void;

/** @param onStoreUnavailable called instead of logging if the store is unavailable, because it then fails many requests. */
export function createErrorLog(log: Logger, onStoreUnavailable: (error: unknown) => void): ErrorLog {
  return (err, requestId) => {
    const { code } = toServiceError(err);
    if (code === 'internal_error') log.error({ requestId, err }, 'request failed');
    // The request selected too much; the store is healthy.
    else if (isReadTimeout(err)) log.info({ requestId, code, err }, 'a read took too long');
    else if (!(err instanceof ServiceError)) onStoreUnavailable(err);
  };
}
