import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { extname } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** A process of the service on this machine. */
export interface Instance {
  readonly address: string;
  readonly pid: number | undefined;
  /** Resolves once it takes requests; never, when it ends before. */
  readonly ready: Promise<void>;
  /** How it ended: `undefined` when it was asked to and all was answered, else in words. */
  readonly ended: Promise<string | undefined>;
  /** Asks it to answer what is in flight and to end; asked twice, it ends at once. */
  stop(): void;
}

const MAIN = fileURLToPath(new URL(`../main${extname(import.meta.url)}`, import.meta.url));
const POLL_MS = 100;

/**
 * Starts a process of the service.
 *
 * @param onLine told each line that it writes, but not what it says to a person who starts it alone.
 */
export function startInstance(
  address: string,
  environment: NodeJS.ProcessEnv,
  onLine: (line: string) => void,
): Instance {
  // A group of its own: Ctrl-C in a terminal would reach it twice, and the second signal ends it at once.
  const child = spawn(process.execPath, [...process.execArgv, MAIN], {
    env: environment,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [asked, started] = [false, false];
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (line.startsWith('{')) onLine(line);
    else if (line.includes(address)) started = true;
  });
  createInterface({ input: child.stderr }).on('line', onLine);
  const running = () => child.exitCode === null && child.signalCode === null;
  const stop = () => {
    asked = true;
    if (running()) child.kill('SIGTERM');
  };
  const ended = once(child, 'close').then(([code, signal]: (number | string | null)[]) => {
    return asked && (code === 0 || signal === 'SIGTERM') ? undefined : `ended with ${signal ?? `code ${code}`}`;
  });
  const ready = async () => {
    // Not before it says that it listens: something else may answer there.
    while (!started || !(await isReady(address))) {
      if (!running()) return new Promise<void>(() => {});
      await sleep(POLL_MS);
    }
  };
  return { address, pid: child.pid, ready: ready(), ended, stop };
}

async function isReady(address: string): Promise<boolean> {
  const response = await fetch(`${address}/readyz`).catch(() => undefined);
  await response?.body?.cancel();
  return response?.ok ?? false;
}
