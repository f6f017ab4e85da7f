import type { Logger } from 'pino';
import type { Settings } from '../settings.ts';
import { wasLateRecently, watchEventLoop } from '../store/connections/blocked-event-loop.ts';
import { parseServerUrl } from '../store/connections/server-url.ts';

/** How often a fault is logged while it lasts. */
const REMINDER_MS = 60_000;

/** How often a fault is checked; it is over if it was not reported since the previous check. */
const CHECK_MS = 1_000;

/** The messages of errors that mean that a server did not respond in time. */
const TIMEOUT = /time ?out|timed out|in time|did not respond|took too long/i;

/** The faults of the servers that the service depends on. */
export interface Faults {
  readonly store: LastingFault;
  /** The schema requires a newer version of the service. */
  readonly version: LastingFault;
  readonly redis: LastingFault;
}

export function createFaults({ databaseUrl, dataDirectory, redisUrl }: Settings, log: Logger): Faults {
  watchEventLoop();
  return {
    store: new LastingFault(log, {
      subject: databaseUrl ? 'PostgreSQL' : 'The embedded database',
      server: databaseUrl ? parseServerUrl(databaseUrl).name : dataDirectory,
      consequence: 'requests get 503',
    }),
    version: new LastingFault(log, {
      subject: 'Writing',
      server: databaseUrl ? parseServerUrl(databaseUrl).name : dataDirectory,
      consequence: 'requests that write get 503',
    }),
    redis: new LastingFault(log, {
      subject: 'Redis',
      server: redisUrl ? `${new URL(redisUrl).host}${new URL(redisUrl).pathname}` : '',
      consequence: 'this instance counts rate limits by itself',
    }),
  };
}

/** What the log says about a fault. */
export interface FaultDescription {
  /** What is at fault, such as `Redis`; the log says whether it is available. */
  readonly subject: string;
  /** Its address and name, without a password. */
  readonly server: string;
  /** What the service does meanwhile. */
  readonly consequence: string;
}

/**
 * A fault that lasts for a while, such as an unreachable server: one line is logged when it begins, one a minute while it
 * lasts, and one when it ends.
 */
export class LastingFault {
  /** When it began, in milliseconds of `performance.now()`; undefined while there is none. */
  #since: number | undefined;
  #wasReported = false;
  #error: unknown;
  #isOver: () => Promise<boolean> = async () => false;

  constructor(
    private readonly log: Logger,
    private readonly description: FaultDescription,
    private readonly wasLate: () => boolean = wasLateRecently,
  ) {}

  /** Whether the fault lasts. */
  get isActive(): boolean {
    return this.#since !== undefined;
  }

  /** When it began; undefined while there is none. */
  get since(): Date | undefined {
    return this.#since === undefined ? undefined : new Date(performance.timeOrigin + this.#since);
  }

  /** Sets the check that ends the fault. Without one, it lasts until {@link end}. */
  endWhen(isOver: () => Promise<boolean>): void {
    this.#isOver = isOver;
  }

  /** Begins the fault, or reports that it lasts. */
  report(error: unknown): void {
    this.#wasReported = true;
    this.#error = error;
    if (this.isActive) return;
    this.#since = performance.now();
    this.#logFault();
    this.#checkLater(this.#since + REMINDER_MS);
  }

  /** Ends the fault, if it lasts. */
  end(): void {
    if (this.#since === undefined) return;
    const { subject, server } = this.description;
    const seconds = Math.round((performance.now() - this.#since) / 1_000);
    this.#since = undefined;
    this.log.warn({ server, seconds }, `${subject} is available again`);
  }

  #checkLater(remindAt: number): void {
    this.#wasReported = false;
    setTimeout(async () => {
      const isOver = await this.#isOver().catch(() => false);
      if (!this.isActive) return;
      if (isOver && !this.#wasReported) return this.end();
      const isDue = performance.now() >= remindAt;
      if (isDue) this.#logFault();
      this.#checkLater(isDue ? remindAt + REMINDER_MS : remindAt);
    }, CHECK_MS).unref();
  }

  #logFault(): void {
    const { subject, server, consequence } = this.description;
    const { message, code } = Object(this.#error) as NodeJS.ErrnoException;
    const reason = message || code;
    const doubt = TIMEOUT.test(reason ?? '') && this.wasLate() ? ', or this machine is overloaded' : '';
    this.log.warn({ server, reason }, `${subject} is unavailable${doubt}; ${consequence}`);
  }
}
