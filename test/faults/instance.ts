import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from './servers.ts';

const ROOT = new URL('../..', import.meta.url).pathname;

/** A process of the service, as an operator starts it. */
export interface Instance {
  readonly address: string;
  readonly process: ChildProcess;
  /** Everything it wrote. */
  output(): string;
  /** Waits until it takes requests. */
  ready(withinMs?: number): Promise<number>;
  /** Sends a signal and waits for the end; the exit code. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** Starts the built service with an environment of its own. */
export async function startInstance(environment: Record<string, string>): Promise<Instance> {
  const port = await freePort();
  const child = spawn(process.execPath, ['dist/main.js'], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, LOG_LEVEL: 'warn', ...environment, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk));
  const address = `http://127.0.0.1:${port}`;
  return {
    address,
    process: child,
    output: () => output,
    ready: (withinMs) =>
      until(async () => (await fetch(`${address}/readyz`).catch(() => undefined))?.status === 200, withinMs),
    async end(signal) {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
      const ended = once(child, 'exit');
      child.kill(signal);
      const [code] = await ended;
      return code as number | null;
    },
  };
}

/** Runs a command of the command line; its JSON. */
export function cms(environment: Record<string, string>, ...words: string[]) {
  const output = execFileSync(process.execPath, ['dist/cli/main.js', ...words, '--json'], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, ...environment },
    encoding: 'utf8',
  });
  return JSON.parse(output);
}

/** An organization with a key for everything, made by the command line. */
export function organizationWithKey(environment: Record<string, string>): { id: string; key: string; keyId: string } {
  const { id } = cms(environment, 'organization', 'create', '--name', 'Faults', '--country', 'US');
  const made = cms(
    environment,
    'key',
    'create',
    '--organization',
    id,
    '--name',
    'Faults',
    '--scopes',
    'all',
    '--expires',
    'never',
  );
  return { id, key: made.key, keyId: made.id };
}

/** A request with a key; how it was answered and after how long. */
export async function ask(address: string, key: string, path: string, init: RequestInit = {}) {
  const started = performance.now();
  const response = await fetch(`${address}${path}`, {
    ...init,
    headers: { 'X-Api-Key': key, 'Content-Type': 'application/json', ...init.headers },
    signal: AbortSignal.timeout(10_000),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    json: JSON.parse(text),
    took: performance.now() - started,
  };
}

/** A data directory of its own. */
export function temporaryDirectory(): string {
  return mkdtempSync(join(tmpdir(), 'cms-data-'));
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as { port: number };
  probe.close();
  return port;
}
