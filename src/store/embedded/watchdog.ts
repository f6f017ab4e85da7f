/** Watches a thread by its heartbeat. */
export interface Watchdog {
  /** From now on the thread may be busy with one statement for this long. */
  setLimit(ms: number): void;
  stop(): void;
}

export interface WatchdogOptions {
  /** How many heartbeats there were. */
  readonly beats: () => number;
  readonly limitMs: number;
  /** Told once, when there was none for longer than the limit. */
  readonly onHang: (limitMs: number) => void;
  /** How often to look. */
  readonly intervalMs: number;
}

/**
 * Tells when a thread hangs. Time is counted in looks at the heartbeat and not by a clock: a process that was stopped,
 * or on a computer that slept, finds the thread as it was and not late.
 */
export function createWatchdog({ beats, onHang, intervalMs, ...options }: WatchdogOptions): Watchdog {
  let { limitMs } = options;
  let last = beats();
  let silentMs = 0;
  const timer = setInterval(() => {
    const now = beats();
    silentMs = now === last ? silentMs + intervalMs : 0;
    last = now;
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
