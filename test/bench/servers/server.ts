import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { World } from '../world.ts';

/** A program that answers HTTP. */
export interface Program {
  readonly name: string;
  /** Arguments of node. */
  readonly args: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

/** A running program. */
export interface Server {
  readonly name: string;
  readonly port: number;
  readonly pid: number;
  stop(): Promise<void>;
}

const START_MS = 60_000;

/**
 * Starts a program on a free port; resolves when it takes connections.
 *
 * Its log goes to /dev/null: it is written, but the disk does not count.
 *
 * @param nodeArgs go before those of the program.
 */
export async function startServer(
  program: Program,
  { databaseUrl, organizationId }: Pick<World, 'databaseUrl' | 'organizationId'>,
  nodeArgs: readonly string[] = [],
): Promise<Server> {
  const port = await freePort();
  const child = spawn(process.execPath, [...nodeArgs, ...program.args], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      NODE_ENV: 'production',
      DATABASE_URL: databaseUrl,
      ORGANIZATION_ID: organizationId,
      PORT: String(port),
      ...program.environment,
    },
  });
  await untilItListens(child, port, program.name);
  return { name: program.name, port, pid: child.pid as number, stop: () => stop(child) };
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const killing = setTimeout(() => child.kill('SIGKILL'), 10_000);
  await exited;
  clearTimeout(killing);
}

async function untilItListens(child: ChildProcess, port: number, name: string): Promise<void> {
  const deadline = Date.now() + START_MS;
  while (!(await listens(port))) {
    if (child.exitCode !== null) throw new Error(`${name} ended at its start`);
    if (Date.now() > deadline) throw new Error(`${name} does not listen after ${START_MS / 1_000} s`);
    await sleep(50);
  }
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    }).on('error', () => resolve(false));
  });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
