import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { COMPILE_ONCE } from './child.ts';

/** The service in a separate process. */
export interface RunningService {
  readonly address: string;
  readonly pid: number;
  /** Its output so far. */
  output(): string;
  /** Stops it, and resolves with its exit code. */
  stop(): Promise<number | null>;
}

const MAIN = fileURLToPath(new URL('../../../dist/main.js', import.meta.url));

/**
 * Starts the built service on a free port; resolves when it listens.
 *
 * @param nodeOptions of Node.js, in addition.
 * @param main the script of another version of the service.
 */
export async function startService(
  environment: Record<string, string>,
  nodeOptions: readonly string[] = [],
  main = MAIN,
): Promise<RunningService> {
  const { DATABASE_URL: _, REDIS_URL: __, DATA_DIR: ___, ...inherited } = process.env;
  const service = spawn('node', [...COMPILE_ONCE, ...nodeOptions, main], {
    env: { ...inherited, PORT: '0', LOG_LEVEL: 'silent', SHUTDOWN_DELAY_MS: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(service, 'exit') as Promise<[number | null]>;
  let output = '';
  for (const stream of [service.stdout, service.stderr]) stream.on('data', (chunk) => (output += chunk));
  const stop = async () => {
    if (service.exitCode === null && service.signalCode === null) service.kill('SIGTERM');
    return (await ended)[0];
  };
  const address = await new Promise<string>((resolve, reject) => {
    service.stdout.on('data', () => {
      const [found] = /http:\S+(?=\/v1)/.exec(output) ?? [];
      if (found) resolve(found);
    });
    void ended.then(([code]) => reject(new Error(`the service ended with ${code}:\n${output}`)));
  });
  return { address, pid: service.pid as number, output: () => output, stop };
}
