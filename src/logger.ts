import { type Logger, pino } from 'pino';
import type { Settings } from './settings.ts';

/** Lines wait for one another this long, or for 8 KB: a write for each costs more than the line. */
const TOGETHER = { sync: false, minLength: 8_192, periodicFlush: 100 };

/**
 * Structured logs on standard output. Keys and what people wrote about themselves are never passed to it.
 * What waits is written when the process exits by itself, and before a fatal line.
 */
export function createLogger(level: Settings['logLevel']): Logger {
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: describeError } };
  return pino(options, pino.destination(TOGETHER));
}

/** The database's `detail` of an error quotes records, so only what names the fault is kept. */
function describeError(error: Error & { code?: unknown }): object {
  return { type: error.name, message: error.message, code: error.code, stack: error.stack };
}
