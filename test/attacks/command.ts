import { spawn } from 'node:child_process';
import { ROOT } from '../faults/support/instance.ts';
import type { Attack } from './attack.ts';

const TIME_LIMIT_MS = 30_000;
/** The heap limit, less than a whole file would take. */
const MAX_HEAP_MB = 256;

/** A command of `cms` that reads a malicious file. */
export interface Command {
  /** A description of the file. */
  readonly name: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly exitCode: number;
  /** An expected part of the output. */
  readonly message?: RegExp | undefined;
}

/**
 * Runs a command, and reports it if it takes too much time or memory, ends with another exit code or message, or prints
 * internals or control characters.
 */
export async function runCommand(attack: Attack, phase: string, command: Command): Promise<void> {
  const { name, args, environment, exitCode, message } = command;
  const child = spawn(process.execPath, [`--max-old-space-size=${MAX_HEAP_MB}`, 'dist/cli/main.js', ...args], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const timer = setTimeout(() => child.kill('SIGKILL'), TIME_LIMIT_MS);
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  clearTimeout(timer);
  attack.count(code === 0 ? 200 : 400);
  const repeat = `npm run test:attacks -- --only ${phase} (cms ${args.join(' ')}, a file of ${name})`;
  if (code !== exitCode) attack.report(`${name}: ended with ${code ?? 'a signal'}: ${output.slice(-300)}`, repeat);
  else if (message && !message.test(output))
    attack.report(`${name}: the output does not match ${message}: ${output.slice(-300)}`, repeat);
  if (/^\s+at .*:\d+:\d+\)?$|RangeError|TypeError|call stack size|heap out of memory|stopped responding/m.test(output))
    attack.report(`${name}: reveals internals: ${output.slice(0, 500)}`, repeat);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not reach a terminal.
  if (/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\x9b]/.test(output))
    attack.report(`${name}: control characters reach the terminal: ${JSON.stringify(output.slice(0, 300))}`, repeat);
}
