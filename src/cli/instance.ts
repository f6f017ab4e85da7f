import { spawn } from 'node:child_process';
import { extname } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** A local process of the service. */
export interface Instance {
  readonly address: string;
  readonly pid: number | undefined;
  /** Resolves when it is ready for requests; never resolves if it ends before that. */
  readonly ready: Promise<void>;
  /** Resolves when it ends: `undefined` after a graceful shutdown by `stop`, otherwise the reason. */
  readonly ended: Promise<string | undefined>;
  /** Starts a graceful shutdown; a second call ends it immediately. */
  stop(): void;
}

const MAIN = fileURLToPath(new URL(`../main${extname(import.meta.url)}`, import.meta.url));
const POLL_MS = 100;

/**
 * Starts a process of the service, which does not end with this one.
 *
 * @param onLine called with each line of its output, except the banner.
 */
export function startInstance(
  address: string,
  environment: NodeJS.ProcessEnv,
  onLine: (line: string) => void,
): Instance {
  // A separate process group, because Ctrl-C in a terminal would otherwise send it a second signal, which ends it.
  const child = spawn(process.execPath, [...process.execArgv, MAIN], {
    env: environment,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [isStopping, isListening] = [false, false];
  const ended = new Promise<string | undefined>((resolve) => {
    child.on('error', ({ message }) => {
      if (child.pid === undefined) resolve(`could not be started (${message})`);
    });
    child.once('close', (code, signal) => {
      const isGraceful = isStopping && (code === 0 || signal === 'SIGTERM');
      resolve(isGraceful ? undefined : `ended with ${signal ?? `code ${code}`}`);
    });
  });
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (line.startsWith('{')) onLine(line);
    else if (line.includes(address)) isListening = true;
  });
  createInterface({ input: child.stderr }).on('line', onLine);
  const running = () => child.pid !== undefined && child.exitCode === null && child.signalCode === null;
  const stop = () => {
    isStopping = true;
    if (running()) child.kill('SIGTERM');
  };
  const ready = async () => {
    // Wait for its banner first, because another process may listen on the port.
    while (!isListening || !(await isReady(address))) {
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
