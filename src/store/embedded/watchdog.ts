/** Watches a thread by its heartbeat. */
export interface Watchdog {
  /** Sets the maximum time without a heartbeat. */
  setLimit(ms: number): void;
  stop(): void;
}

export interface WatchdogOptions {
  /** The number of heartbeats so far. */
  readonly beats: () => number;
  readonly limitMs: number;
  /** Called once when there was no heartbeat for longer than the limit. */
  readonly onHang: (limitMs: number) => void;
  /** The interval of checks. */
  readonly intervalMs: number;
}

/**
 * Detects a hanging thread. Time is measured by the number of checks and not by a clock, so that time in which the
 * process or the machine is suspended does not count.
 */
export function createWatchdog({ beats, onHang, intervalMs, ...options }: WatchdogOptions): Watchdog {
  let { limitMs } = options;
  let last = beats();
  let silentMs = 0;
  const timer = setInterval(() => {
    const current = beats();
    silentMs = current === last ? silentMs + intervalMs : 0;
    last = current;
    if (silentMs < limitMs) return;
    clearInterval(timer);
    onHang(limitMs);
  }, intervalMs);
  return {
    setLimit(ms) {
      limitMs = ms;
    },
    stop: () => clearInterval(timer),
  };
}
