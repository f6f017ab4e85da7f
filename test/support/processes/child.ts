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

/** Starts a script of this folder as a process of its own; resolves when it takes commands. */
export async function startChild(script: URL): Promise<Child> {
  const path = fileURLToPath(script);
  const process = spawn('node', ['--import', 'tsx', path], { stdio: ['pipe', 'pipe', 'inherit'] });
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

/** What a child script does: says that it is there, and then obeys until nobody asks any more. */
export async function obey(commands: Record<string, (...values: string[]) => Promise<unknown>>): Promise<void> {
  process.stdout.write('"ready"\n');
  for await (const line of createInterface({ input: process.stdin })) {
    const [command, ...values] = JSON.parse(line) as [string, ...string[]];
    const said = await commands[command]?.(...values).catch((error: Error) => error.message);
    process.stdout.write(`${JSON.stringify(said ?? null)}\n`);
  }
  process.exit();
}
