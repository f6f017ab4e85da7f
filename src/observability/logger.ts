import { type DestinationStream, type Logger, pino } from 'pino';
import type { Settings } from '../settings.ts';

/** Lines wait for one another this long, or for 8 KB: a write for each costs more than the line. */
const TOGETHER = { sync: false, minLength: 8_192, periodicFlush: 100 };

/**
 * Structured logs on standard output. Keys and what people wrote about themselves are never passed to it.
 * What waits is written when the process exits by itself, and before a fatal line.
 */
export function createLogger(level: Settings['logLevel']): Logger {
  const options = { level, base: null, timestamp: currentTime(), serializers: { err: describeError } };
  return pino(options, gatherLines(pino.destination(TOGETHER) as Destination));
}

/** Its types leave out the length from which on it writes. */
type Destination = ReturnType<typeof pino.destination> & { minLength: number };

/**
 * Passes on the lines of one turn of the event loop together: for each text that it is given the destination
 * reads again all that waits.
 */
function gatherLines(destination: Destination): DestinationStream & Pick<Destination, 'flushSync'> {
  let lines = '';
  const passOn = () => {
    const gathered = lines;
    lines = '';
    if (gathered !== '') destination.write(gathered);
  };
  const flushSync = () => {
    // From this length on the destination begins a write that nobody waits for any more.
    const { minLength } = destination;
    destination.minLength = Number.POSITIVE_INFINITY;
    passOn();
    destination.minLength = minLength;
    destination.flushSync();
  };
  // Before the destination's own listener, which writes what waits there.
  process.prependListener('exit', flushSync);
  return {
    write(line) {
      if (lines === '') setImmediate(passOn);
      lines += line;
    },
    flushSync,
  };
}

/** The time as ISO 8601, written once a millisecond. */
function currentTime(): () => string {
  let written = 0;
  let text = '';
  return () => {
    const now = Date.now();
    if (now !== written) text = `,"time":"${new Date(now).toISOString()}"`;
    written = now;
    return text;
  };
}

/** The database's `detail` of an error quotes records, so only what names the fault is kept. */
function describeError(error: Error & { code?: unknown }): object {
  return { type: error.name, message: error.message, code: error.code, stack: error.stack };
}
