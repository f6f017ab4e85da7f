import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/** `npm ci` takes a minute. */
const MAX_START_MS = 600_000;

/** What a command printed, and how it ended. */
export interface Ran {
  readonly code: number | null;
  readonly output: string;
}

/** How a command is run. */
export interface Running {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  readonly user?: { readonly uid?: number; readonly gid?: number };
  readonly input?: string;
}

/** Starts a command in a shell, in a process group of its own. */
export function start(command: string, { folder, env, user = {} }: Running): ChildProcess {
  return spawn('bash', ['--norc', '-c', command], {
    cwd: folder,
    env,
    ...user,
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}

/** Runs a command to its end; each line of it must succeed. */
export async function run(command: string, options: Running): Promise<Ran> {
  const child = start(`set -eo pipefail\n${command}`, options);
  child.stdin?.end(options.input ?? '');
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}

/** Waits for an output of a command. */
export function outputWith(command: ChildProcess, pattern: RegExp): Promise<RegExpExecArray> {
  return new Promise((resolve, reject) => {
    let output = '';
    const timer = setTimeout(
      () => reject(new Error(`no ${pattern} after ${MAX_START_MS} ms: ${output}`)),
      MAX_START_MS,
    );
    const read = (chunk: Buffer) => {
      output += chunk;
      const match = pattern.exec(output);
      if (match) resolve(match);
    };
    command.stdout?.on('data', read);
    command.stderr?.on('data', read);
    command.once('close', (code) => reject(new Error(`ended with exit code ${code}: ${output}`)));
    command.once('close', () => clearTimeout(timer));
  });
}

/** Stops a command with its whole process group, because npm may end before the service. */
export async function stop(command: ChildProcess): Promise<void> {
  if (command.exitCode !== null || command.signalCode !== null) return;
  const closed = once(command, 'close');
  process.kill(-(command.pid as number), 'SIGTERM');
  await closed;
}

/** A started service. */
export interface StartedService {
  /** The address: `http://127.0.0.1:4000`. */
  readonly address: string;
  readonly demoKey: string;
  /** What the command has printed until then. */
  readonly banner: string;
}

/** Waits until a command has started a service with the demo organization. */
export async function startedService(command: ChildProcess): Promise<StartedService> {
  const {
    input,
    1: address = '',
    2: demoKey = '',
  } = await outputWith(command, /Start at +(\S+)[\s\S]*Demo key +(cms_\w+)[\s\S]*curl .*\n/);
  return { address, demoKey, banner: input };
}
