import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readlinkSync } from 'node:fs';
import { startInstance } from '../../faults/support/instance.ts';
import { freePorts } from '../servers/own-servers.ts';

/** A sample of a process. */
export interface Sample {
  /** Bytes, after a full collection. */
  readonly heapUsed: number;
  readonly external: number;
  readonly rss: number;
  /** The event loop delay since the last sample; `own` is the maximum without the time of other processes. */
  readonly lagMs: { readonly p99: number; readonly max: number; readonly own: number };
  /** Warnings of Node.js since the start, such as leaking listeners. */
  readonly warnings: readonly string[];
  /** Open sockets, counted by the system. */
  readonly sockets: number;
  readonly pool: { readonly open: number; readonly idle: number; readonly waited_for: number };
}

/** A process of the built service with a probe. */
export interface Observed {
  readonly port: number;
  readonly pid: number;
  output(): string;
  sample(): Promise<Sample>;
  /** The longest delay of the event loop in milliseconds since the last call, like `own` of a sample. */
  longestDelay(): Promise<number>;
  /** Sends SIGTERM. @returns the exit code. */
  stop(): Promise<number | null>;
}

const PROBE = new URL('probe.mjs', import.meta.url).href;

/** Starts the service with an environment, and waits until it is ready. */
export async function startObserved(environment: Record<string, string>): Promise<Observed> {
  const port = await freePorts(2);
  const own = { NODE_ENV: 'production', METRICS_PORT: String(port + 1), ...environment };
  const instance = await startInstance(own, port, ['--expose-gc', '--import', PROBE]);
  const child = instance.process;
  // Ends the service with this process.
  process.once('exit', () => child.kill('SIGKILL'));
  await instance.ready().catch((error) => {
    child.kill('SIGKILL');
    throw new Error(`the service does not start:\n${instance.output()}`, { cause: error });
  });
  return {
    port,
    pid: child.pid as number,
    output: instance.output,
    sample: () => sample(child, port + 1),
    longestDelay: () => query(child, 'longest delay') as Promise<number>,
    stop: () => instance.end('SIGTERM'),
  };
}

async function sample(child: ChildProcess, metricsPort: number): Promise<Sample> {
  const inside = (await query(child, 'sample')) as Omit<Sample, 'sockets' | 'pool'>;
  const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  const connections = (state: string) =>
    Number(new RegExp(`^cms_store_connections\\{state="${state}"\\} (\\d+)`, 'm').exec(metrics)?.[1]);
  const pool = { open: connections('open'), idle: connections('idle'), waited_for: connections('waited_for') };
  return { ...inside, sockets: openSockets(child.pid as number), pool };
}

/** A message of the probe. */
async function query(child: ChildProcess, message: string): Promise<unknown> {
  const answered = once(child, 'message', { signal: AbortSignal.timeout(10_000) });
  child.send(message);
  return (await answered)[0];
}

function openSockets(pid: number): number {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).filter((fd) => {
    try {
      return readlinkSync(`${folder}/${fd}`).startsWith('socket:');
    } catch {
      // Closed since the directory was read.
      return false;
    }
  }).length;
}
