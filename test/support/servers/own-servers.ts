import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isPostgresqlReady } from './postgresql.ts';

/** A server in a temporary folder. */
export interface OwnServer {
  readonly url: string;
  start(): Promise<void>;
  /** Ends it immediately, as in a crash. */
  stop(): Promise<void>;
  /** Ends it and its child processes with SIGKILL. */
  kill(): Promise<void>;
  freeze(): void;
  thaw(): void;
  remove(): Promise<void>;
}

export const POSTGRESQL_BIN = ['/usr/lib/postgresql/15/bin', '/usr/lib/postgresql/16/bin', '/usr/local/bin'].find(
  (folder) => existsSync(join(folder, 'initdb')),
);

/** Whether PostgreSQL and Redis are installed. */
export const hasServers = POSTGRESQL_BIN !== undefined && existsSync('/usr/bin/redis-server');

/**
 * Starts a PostgreSQL server, as the user `postgres` if this is root, as which it refuses to run.
 *
 * @param options `prepare` changes its data directory before it is started; `programs` is the folder of its programs;
 * `within` is the parent of its folder.
 */
export async function ownPostgresql({
  prepare = () => {},
  programs = POSTGRESQL_BIN as string,
  within = tmpdir(),
}: {
  prepare?: (data: string) => void;
  programs?: string;
  within?: string;
} = {}): Promise<OwnServer> {
  const folder = mkdtempSync(join(within, 'cms-pg-'));
  const user: Description['user'] = process.getuid?.() === 0 ? idsOf('postgres') : {};
  if (user.uid !== undefined && user.gid !== undefined) chownSync(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  execFileSync(join(programs, 'initdb'), ['-D', data, '-U', 'test', '-A', 'trust', '-N'], {
    ...user,
    cwd: folder,
    stdio: 'ignore',
  });
  prepare(data);
  const port = await freePorts(1);
  const command = join(programs, 'postgres');
  const options = ['-D', data, '-p', String(port), '-k', folder, '-h', '127.0.0.1', '-F'];
  return own({ url: `postgresql://test@127.0.0.1:${port}/postgres`, folder, port, command, options, user });
}

/** A Redis server without persistence. */
export async function ownRedis(): Promise<OwnServer> {
  const folder = mkdtempSync(join(tmpdir(), 'cms-redis-'));
  const port = await freePorts(1);
  const options = ['--port', String(port), '--save', '', '--appendonly', 'no', '--dir', folder];
  return own({ url: `redis://127.0.0.1:${port}`, folder, port, command: '/usr/bin/redis-server', options, user: {} });
}

/** The command and options of a server. */
export interface Description {
  readonly url: string;
  readonly folder: string;
  readonly port: number;
  readonly command: string;
  readonly options: string[];
  readonly user: { readonly uid?: number; readonly gid?: number };
}

/** Starts a server in a new folder. */
export function own({ url, folder, port, command, options, user }: Description): OwnServer {
  let child: ChildProcess | undefined;
  /** PostgreSQL has one child process per connection. */
  const signal = (name: NodeJS.Signals) => {
    const pid = child?.pid;
    if (pid === undefined) return;
    for (const each of [pid, ...childrenOf(pid)]) process.kill(each, name);
  };
  const server: OwnServer = {
    url,
    async start() {
      const started = spawn(command, options, { ...user, cwd: folder, stdio: 'ignore' });
      // Ends the server when this process exits.
      const end = () => started.kill('SIGQUIT');
      process.once('exit', end);
      started.once('exit', () => process.off('exit', end));
      child = started;
      await until(() => accepts(port));
    },
    async stop() {
      if (!child) return;
      const ended = new Promise((resolve) => child?.once('exit', resolve));
      // SIGQUIT: PostgreSQL's immediate shutdown, including its child processes.
      signal('SIGCONT');
      child.kill('SIGQUIT');
      child = undefined;
      await ended;
    },
    async kill() {
      if (!child) return;
      const ended = new Promise((resolve) => child?.once('exit', resolve));
      signal('SIGKILL');
      child = undefined;
      await ended;
    },
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    async remove() {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return server;
}

function childrenOf(pid: number): number[] {
  const pids = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return pids.split(' ').filter(Boolean).map(Number);
}

/** The ids of a user of this machine. */
export function idsOf(name: string): { uid: number; gid: number } {
  const id = (flag: string) => Number(execFileSync('id', [flag, name], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

/** Waits for a condition, by default long enough for a busy machine. @throws on timeout. */
export async function until(condition: () => Promise<boolean>, withinMs = 60_000): Promise<number> {
  const started = performance.now();
  while (!(await condition())) {
    if (performance.now() - started > withinMs) throw new Error(`the condition was not met within ${withinMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return performance.now() - started;
}

/** Waits until a PostgreSQL server executes statements, which is later than it accepts connections. */
export async function untilAnswers(databaseUrl: string): Promise<void> {
  await until(() => isPostgresqlReady(databaseUrl));
}

/** Whether a port of this machine accepts connections. */
export function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

/** The first of several consecutive free ports. */
export async function freePorts(count: number): Promise<number> {
  for (;;) {
    const first = await listenOnce(0);
    const others = Array.from({ length: count - 1 }, (_, n) => listenOnce(first + 1 + n).catch(() => undefined));
    if (!(await Promise.all(others)).includes(undefined)) return first;
  }
}

async function listenOnce(port: number): Promise<number> {
  const probe = createServer().listen(port, '127.0.0.1');
  await once(probe, 'listening');
  const listening = probe.address() as AddressInfo;
  probe.close();
  return listening.port;
}
