import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePorts, until } from '../../support/servers/own-servers.ts';

/** The root of the service. */
export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** A process of the service. */
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

/**
 * Starts the built service with an environment, by default on a free port.
 *
 * @param nodeOptions of Node.js, such as a module that answers messages of this process.
 */
export async function startInstance(
  environment: Record<string, string>,
  onPort?: number,
  nodeOptions: readonly string[] = [],
): Promise<Instance> {
  const port = onPort ?? (await freePorts(1));
  const child = spawn(process.execPath, [...nodeOptions, 'dist/main.js'], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, LOG_LEVEL: 'warn', ...environment, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe', ...(nodeOptions.length > 0 ? (['ipc'] as const) : [])],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk));
  const address = `http://127.0.0.1:${port}`;
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

/** Several instances of the service. */
export interface Instances {
  readonly ports: readonly number[];
  readonly addresses: readonly string[];
  /** Their output so far, also of those that have ended. */
  output(): string;
  /** Resolves when all are ready for requests. */
  ready(): Promise<void>;
  /** Sends a signal to all and waits for their exits. @returns the exit codes. */
  end(signal: NodeJS.Signals): Promise<(number | null)[]>;
  /** Sends a signal to one and waits for its exit. @returns the exit code. */
  endOne(index: number, signal: NodeJS.Signals): Promise<number | null>;
  /** Starts one that has ended again, on the same port; resolves when it is ready for requests. */
  startAgain(index: number): Promise<void>;
}

/** Starts several instances of the built service with one environment. */
export async function startInstances(count: number, environment: Record<string, string>): Promise<Instances> {
  const first = await freePorts(count);
  const shared = { ...environment, INSTANCES: String(count) };
  const ports = Array.from({ length: count }, (_, n) => first + n);
  const instances = await Promise.all(ports.map((port) => startInstance(shared, port)));
  const started = [...instances];
  return {
    ports,
    addresses: instances.map(({ address }) => address),
    output: () => started.map((instance) => instance.output()).join(''),
    async ready() {
      for (const instance of instances) await instance.ready();
    },
    end: (signal) => Promise.all(instances.map((instance) => instance.end(signal))),
    endOne: (index, signal) => (instances[index] as Instance).end(signal),
    async startAgain(index) {
      instances[index] = await startInstance(shared, ports[index]);
      started.push(instances[index]);
      await instances[index].ready();
    },
  };
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
  const words = '--name Faults --scopes all --expires never'.split(' ');
  const made = cms(environment, 'key', 'create', '--organization', id, ...words);
  return { id, key: made.key, keyId: made.id };
}

/** Sends a request with a key. @returns the response and its duration. */
export async function ask(address: string, key: string, path: string, init: RequestInit = {}) {
  const started = performance.now();
  const response = await fetch(`${address}${path}`, {
    ...init,
    headers: { 'X-Api-Key': key, 'Content-Type': 'application/json', ...init.headers },
    signal: init.signal ?? AbortSignal.timeout(10_000),
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
