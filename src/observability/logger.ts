import { type DestinationStream, type Logger, pino } from 'pino';
import type { Settings } from '../settings.ts';
import { formatForTerminal } from './terminal-format.ts';

/** Lines are buffered for up to 100 ms or 8 KB, because a write per line is expensive. */
const BUFFERING = { sync: false, minLength: 8_192, periodicFlush: 100 };

/**
 * Creates a logger that writes JSON lines to standard output, or readable text if it is a terminal. JSON lines are
 * buffered; they are written immediately after a fatal line and at exit. Callers must not log keys and personal data.
 */
export function createLogger(level: Settings['logLevel']): Logger {
  const options = { level, base: null, timestamp: createTimestamp(), serializers: { err: describeError } };
  if (process.stdout.isTTY) {
    return pino(options, { write: (line) => void process.stdout.write(formatForTerminal(line)) });
  }
  return pino(options, batchLines(pino.destination(BUFFERING)));
}

/**
 * Collects the lines of one turn of the event loop and writes them together, because each write to the destination
 * scans its whole buffer.
 */
function batchLines(
  destination: ReturnType<typeof pino.destination>,
): DestinationStream & Pick<typeof destination, 'flushSync'> {
  let lines = '';
  const takeLines = () => {
    const taken = lines;
    lines = '';
    return taken;
  };
  const flushLines = () => {
    const batch = takeLines();
    if (batch !== '') destination.write(batch);
  };
  const flushSync = () => {
    destination.flushSync();
    // The destination might write them asynchronously, and they would be lost at exit.
    const batch = takeLines();
    if (batch !== '') pino.destination({ sync: true }).write(batch);
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

/** Returns pino's function for timestamps, in ISO 8601. A timestamp is formatted once per millisecond. */
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
