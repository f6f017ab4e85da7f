import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../../support/servers/own-servers.ts';

/** The root of the service. */
export const ROOT = new URL('../../..', import.meta.url).pathname;

/** A process of the service, or of the command that runs several. */
export interface Instance {
  readonly address: string;
  readonly process: ChildProcess;
  /** Its output so far. */
  output(): string;
  /** Resolves when it is ready for requests. */
  ready(): Promise<number>;
  /** Sends a signal and waits for the exit. @returns the exit code. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** Starts the built service with an environment. */
export async function startInstance(environment: Record<string, string>): Promise<Instance> {
  return start([], await freePorts(1), environment);
}

/** Several instances, run by the `instances` command. */
export interface Instances extends Omit<Instance, 'address'> {
  readonly addresses: readonly string[];
}

/** Starts several instances of the built service with one environment, on consecutive ports. */
export async function startInstances(count: number, environment: Record<string, string>): Promise<Instances> {
  const first = await freePorts(count);
  const words = ['instances', '--count', String(count), '--json'];
  const command = start(words, first, environment);
  return {
    ...command,
    addresses: Array.from({ length: count }, (_, n) => addressOf(first + n)),
    ready: () => until(async () => command.output().includes('{"instances":[')),
  };
}

function start(words: readonly string[], port: number, environment: Record<string, string>): Instance {
  const main = words.length > 0 ? 'dist/cli/main.js' : 'dist/main.js';
  const child = spawn(process.execPath, [main, ...words], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, LOG_LEVEL: 'warn', ...environment, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk));
  const address = addressOf(port);
  return {
    address,
    process: child,
    output: () => output,
    ready: () => until(async () => (await fetch(`${address}/readyz`).catch(() => undefined))?.status === 200),
    async end(signal) {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
      const ended = once(child, 'exit');
      child.kill(signal);
      const [code] = await ended;
      return code as number | null;
    },
  };
}

function addressOf(port: number): string {
  return `http://127.0.0.1:${port}`;
}

/** Runs a command. @returns its JSON output. */
export function cms(environment: Record<string, string>, ...words: string[]) {
  const output = execFileSync(process.execPath, ['dist/cli/main.js', ...words, '--json'], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, ...environment },
    encoding: 'utf8',
  });
  return JSON.parse(output);
}

/** Creates an organization with a key that has all scopes. */
export function organizationWithKey(environment: Record<string, string>): { id: string; key: string; keyId: string } {
  cms(environment, 'migrate');
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

/** Sends a request with a key. @returns the response and its duration. */
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

/** A new data directory. */
export function temporaryDirectory(): string {
  return mkdtempSync(join(tmpdir(), 'cms-data-'));
}

/** The first of several consecutive free ports. */
export async function freePorts(count: number): Promise<number> {
  for (;;) {
    const first = await listenOnce(0);
    const others = Array.from({ length: count - 1 }, (_, n) => first + 1 + n);
    const free = await Promise.all(others.map((port) => listenOnce(port).catch(() => undefined)));
    if (!free.includes(undefined)) return first;
  }
}

async function listenOnce(port: number): Promise<number> {
  const probe = createServer().listen(port, '127.0.0.1');
  await once(probe, 'listening');
  const listening = probe.address() as { port: number };
  probe.close();
  return listening.port;
}
