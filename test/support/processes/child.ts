import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** Another process that does one thing after another and says what came of each. */
export interface Child {
  /** Sends one command; resolves with what the process says to it. */
  ask(command: string, ...values: readonly string[]): Promise<unknown>;
  /** Ends it without any chance to tidy up; resolves when the operating system has. */
  kill(): Promise<void>;
}

/**
 * An option of node for processes that end soon: WebAssembly, as of an embedded database, is compiled once only, not a
 * second time by the optimizing compiler, which halves the processor time of a start.
 */
export const COMPILE_ONCE = '--liftoff-only';

/**
 * Starts a script as a process of its own, see `obey.mjs`; resolves when it takes commands. Scripts are JavaScript and import
 * the built service: compiling TypeScript would take longer than most of what they do.
 */
export async function startChild(script: URL): Promise<Child> {
  const path = fileURLToPath(script);
  const process = spawn('node', [COMPILE_ONCE, path], { stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = once(process, 'exit');
  const lines = createInterface({ input: process.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<unknown> => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`${script} ended`);
    return JSON.parse(value);
  };
  await next();
  return {
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
