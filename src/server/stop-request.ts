/** The signals that ask the process to stop. */
export const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Within this time a further signal is part of the same request: a terminal sends Ctrl-C to all its processes and npm
 * passes it on as well, and supervisors signal every process of a service.
 */
const SAME_REQUEST_MS = 1_000;

/** How often to look whether npm's shell is still there. */
const PARENT_CHECK_MS = 200;

/** The scripts of package.json that run until a signal ends them, or for long. */
const NPM_SCRIPTS = ['start', 'dev', 'cli', 'instances'];

/** Calls `stop` at the first signal that asks for it. A signal after that request ends the process at once, with code 1. */
export function onStopSignal(stop: () => void): void {
  let requestedAt: number | undefined;
  for (const signal of STOP_SIGNALS) {
    process.on(signal, () => {
      if (requestedAt === undefined) {
        requestedAt = performance.now();
        stop();
      } else if (performance.now() - requestedAt > SAME_REQUEST_MS) process.exit(1);
    });
  }
}

/** Has the effect of SIGTERM, also on Windows, where processes cannot send it. */
export function requestStop(): void {
  const hasListeners = process.emit('SIGTERM', 'SIGTERM');
  if (!hasListeners) process.exit(143);
}

/**
 * Calls `stop` once the shell in which npm runs a script has ended. npm sends SIGTERM to that shell only; some shells
 * (Debian's dash among them) wait for the command as its parent and do not pass the signal on.
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

/** Windows keeps the number of a parent that has ended. */
function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
