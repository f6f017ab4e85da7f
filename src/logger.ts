import { type Logger, pino } from 'pino';
import type { Settings } from './settings.ts';

/** Structured logs on standard output. Keys and what people wrote about themselves are never passed to it. */
export function createLogger(level: Settings['logLevel']): Logger {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: describeError } });
}

/** The database's `detail` of an error quotes records, so only what names the fault is kept. */
function describeError(error: Error & { code?: unknown }): object {
  return { type: error.name, message: error.message, code: error.code, stack: error.stack };
}
