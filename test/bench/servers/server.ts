import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A program that serves HTTP. */
export interface Program {
  readonly name: string;
  /** Arguments of Node.js. */
  readonly args: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** A path that returns 200 when it is ready; absent if listening is sufficient. */
  readonly readyPath?: string;
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
 * Starts a program on a free port; resolves when it accepts connections.
 *
 * Its log goes to /dev/null: it is written, but disk performance has no effect.
 *
 * @param nodeArgs placed before those of the program.
 */
export async function startServer(
  program: Program,
  databaseUrl: string,
  nodeArgs: readonly string[] = [],
): Promise<Server> {
  const port = await freePort();
  const child = spawn(process.execPath, [...nodeArgs, ...program.args], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      NODE_ENV: 'production',
      DATABASE_URL: databaseUrl,
      PORT: String(port),
      ...program.environment,
    },
  });
  await untilReady(child, port, program);
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

async function untilReady(child: ChildProcess, port: number, { name, readyPath }: Program): Promise<void> {
  const deadline = Date.now() + START_MS;
  const isReady = () => (readyPath ? answers(`http://127.0.0.1:${port}${readyPath}`) : listens(port));
  while (!(await isReady())) {
    if (child.exitCode !== null) throw new Error(`${name} exited on startup`);
    if (Date.now() > deadline) throw new Error(`${name} is not ready after ${START_MS / 1_000} s`);
    await sleep(50);
  }
}

async function answers(url: string): Promise<boolean> {
  return (await fetch(url).catch(() => undefined))?.ok ?? false;
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
