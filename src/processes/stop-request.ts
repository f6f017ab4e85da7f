/** The signals that stop the process. */
export const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Further signals within this time are ignored, because they have the same cause: a terminal sends Ctrl-C to all its
 * processes and npm forwards it too, and service managers signal every process of a service.
 */
const REPEATED_SIGNAL_MS = 1_000;

/** The interval at which the parent process is checked. */
const PARENT_CHECK_MS = 200;

/** The long-running scripts of package.json. */
const NPM_SCRIPTS = ['start', 'dev', 'cli'];

/** Calls `stop` on the first stop signal. A signal more than a second later exits immediately with code 1. */
export function onStopSignal(stop: (signal: NodeJS.Signals) => void): void {
  let requestedAt: number | undefined;
  for (const signal of STOP_SIGNALS) {
    process.on(signal, () => {
      if (requestedAt === undefined) {
        requestedAt = performance.now();
        stop(signal);
      } else if (performance.now() - requestedAt > REPEATED_SIGNAL_MS) process.exit(1);
    });
  }
}

/** Has the effect of SIGTERM on this process, also on Windows, where processes cannot send signals. */
export function requestStop(): void {
  const hasListeners = process.emit('SIGTERM', 'SIGTERM');
  if (!hasListeners) process.exit(143);
}

/**
 * Calls `stop` when the shell in which npm runs a script has ended. npm sends SIGTERM to that shell only, and some shells,
 * such as Debian's dash, do not forward it.
 */
export function onNpmExit(stop: () => void): void {
  if (!NPM_SCRIPTS.includes(process.env.npm_lifecycle_event ?? '')) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent && isAlive(parent)) return;
    clearInterval(timer);
    stop();
  }, PARENT_CHECK_MS).unref();
}

/** Whether a process is running. `ppid` does not show it on Windows, where it does not change when the parent ends. */
function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
