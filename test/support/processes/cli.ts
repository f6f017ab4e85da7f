import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { PasswordSource } from '../../../src/cli/password.ts';
import { run } from '../../../src/cli/run.ts';
import type { Terminal } from '../../../src/processes/terminal.ts';
import { COMPILE_ONCE } from './child.ts';

/** The output of a command. */
export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  /** The parsed standard output. */
  // biome-ignore lint/suspicious/noExplicitAny: results of every shape
  readonly json: any;
}

const MAIN = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url));

/** Runs the built command line in a separate process. */
export async function spawnCli(environment: Record<string, string>, ...args: string[]): Promise<Ran> {
  const { DATABASE_URL: _, DATA_DIR: __, ...inherited } = process.env;
  const child = spawn('node', [...COMPILE_ONCE, MAIN, ...args], {
    env: { ...inherited, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, err] = [[] as Buffer[], [] as Buffer[]];
  child.stdout.on('data', (chunk) => out.push(chunk));
  child.stderr.on('data', (chunk) => err.push(chunk));
  const [code] = await once(child, 'close');
  return ran(code, Buffer.concat(out).toString(), Buffer.concat(err).toString());
}

const noPasswords: PasswordSource = {
  terminal: false,
  ask: () => Promise.reject(new Error('no terminal')),
  line: () => Promise.reject(new Error('no input')),
};

/** Runs the command line in this process, which saves a second per command. */
export function runCli(environment: Record<string, string>, ...args: string[]): Promise<Ran> {
  return runCliTyping(noPasswords, environment, ...args);
}

/** The same, on a terminal. */
export function runCliOnTerminal(environment: Record<string, string>, ...args: string[]): Promise<Ran> {
  return runCliWith({ passwords: noPasswords, terminal: terminalOf(80) }, environment, ...args);
}

/** A terminal of a width, in which a style is shown as `<style>text</style>`. */
export function terminalOf(columns: number): Terminal {
  return { width: () => columns, style: (style, text) => `<${style}>${text}</${style}>` };
}

/** The same, with a source of passwords. */
export function runCliTyping(
  passwords: PasswordSource,
  environment: Record<string, string>,
  ...args: string[]
): Promise<Ran> {
  return runCliWith({ passwords, terminal: undefined }, environment, ...args);
}

async function runCliWith(
  { passwords, terminal }: { readonly passwords: PasswordSource; readonly terminal: Terminal | undefined },
  environment: Record<string, string>,
  ...args: string[]
): Promise<Ran> {
  let [out, err] = ['', ''];
  const code = await run(args, {
    environment,
    stdout: terminal,
    stderr: terminal,
    passwords,
    version: '1.2.3',
    out: async (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
  });
  return ran(code, out, err);
}

function ran(code: number, out: string, err: string): Ran {
  return {
    code,
    out,
    err,
    get json() {
      return JSON.parse(out);
    },
  };
}
