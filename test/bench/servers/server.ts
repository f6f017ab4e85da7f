import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { accepts, freePorts, until } from '../../support/servers/own-servers.ts';

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

/**
 * Starts a program on a free port; resolves when it accepts connections.
 *
 * Its log goes to /dev/null: it is written, but disk performance has no effect.
 */
export async function startServer(program: Program, databaseUrl: string): Promise<Server> {
  const port = await freePorts(1);
  const child = spawn(process.execPath, program.args, {
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
  const isReady = async () => {
    if (child.exitCode !== null) throw new Error(`${name} exited on startup`);
    if (!readyPath) return accepts(port);
    return (await fetch(`http://127.0.0.1:${port}${readyPath}`).catch(() => undefined))?.ok ?? false;
  };
  await until(isReady);
}
