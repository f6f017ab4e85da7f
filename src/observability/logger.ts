import { type DestinationStream, type Logger, pino } from 'pino';
import type { Settings } from '../settings.ts';
import { formatReadably } from './readable-lines.ts';

/** Lines are buffered for 100 ms or 8 KB, because a write per line is expensive. */
const BUFFERING = { sync: false, minLength: 8_192, periodicFlush: 100 };

/**
 * Structured logs on standard output; in a terminal, lines of text. Keys and personal data are never logged. Buffered
 * lines are written at exit and before a fatal line.
 */
export function createLogger(level: Settings['logLevel']): Logger {
  const options = { level, base: null, timestamp: createTimestamp(), serializers: { err: describeError } };
  if (process.stdout.isTTY) {
    return pino(options, { write: (line) => void process.stdout.write(formatReadably(line)) });
  }
  return pino(options, batchLines(pino.destination(BUFFERING) as Destination));
}

/** `minLength` is missing in pino's types. */
type Destination = ReturnType<typeof pino.destination> & { minLength: number };

/**
 * Collects the lines of one turn of the event loop and writes them together, because each write to the destination
 * scans its whole buffer.
 */
function batchLines(destination: Destination): DestinationStream & Pick<Destination, 'flushSync'> {
  let lines = '';
  const flushLines = () => {
    const batch = lines;
    lines = '';
    if (batch !== '') destination.write(batch);
  };
  const flushSync = () => {
    // Prevents an asynchronous write, which would be lost at exit.
    const { minLength } = destination;
    destination.minLength = Number.POSITIVE_INFINITY;
    flushLines();
    destination.minLength = minLength;
    destination.flushSync();
  };
  // Added before the destination's own listener, which writes its buffer.
  process.prependListener('exit', flushSync);
  return {
    write(line) {
      if (lines === '') setImmediate(flushLines);
      lines += line;
    },
    flushSync,
  };
}

/** The time as ISO 8601, formatted once per millisecond. */
function createTimestamp(): () => string {
  let cachedAt = 0;
  let text = '';
  return () => {
    const now = Date.now();
    if (now !== cachedAt) text = `,"time":"${new Date(now).toISOString()}"`;
    cachedAt = now;
    return text;
  };
}

/** Serializes an error without `detail`, in which PostgreSQL quotes records. */
function describeError(error: Error & { code?: unknown }): object {
  return { type: error.name, message: error.message, code: error.code, stack: error.stack };
}
