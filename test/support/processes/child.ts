import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** A child process that executes commands one after another and reports their results. */
export interface Child {
  readonly pid: number;
  /** Sends a command; resolves with its result. */
  ask(command: string, ...values: readonly string[]): Promise<unknown>;
  /** Kills the process without cleanup; resolves when it has exited. */
  kill(): Promise<void>;
}

/**
 * Options of Node.js for short-lived processes: neither WebAssembly, such as an embedded database, nor JavaScript is
 * compiled a second time by the optimizing compilers, which halves the processor time of a start.
 */
export const COMPILE_ONCE = ['--liftoff-only', '--no-opt'];

/**
 * Starts a script as a child process, see `run-commands.mjs`; resolves when it accepts commands. Scripts are JavaScript and import
 * the built service: compiling TypeScript would take longer than most commands.
 */
export async function startChild(script: URL): Promise<Child> {
  const path = fileURLToPath(script);
  const process = spawn('node', [...COMPILE_ONCE, path], { stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = once(process, 'exit');
  const lines = createInterface({ input: process.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<unknown> => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`${script} ended`);
    return JSON.parse(value);
  };
  await next();
  return {
    pid: process.pid as number,
    async ask(...words) {
      process.stdin.write(`${JSON.stringify(words)}\n`);
      return next();
    },
    async kill() {
      killOnce(process);
      await exited;
    },
  };
}

function killOnce(process: ChildProcess): void {
  if (process.exitCode === null && process.signalCode === null) process.kill('SIGKILL');
}
