import { userInfo } from 'node:os';
import type { Terminal } from '../processes/terminal.ts';
import { printable, printableLines, printableStyles } from './output/output.ts';
import type { PasswordSource } from './password.ts';

/** The environment and output of commands. */
export interface Cli {
  readonly json: boolean;
  /** The terminals of standard output and standard error; undefined if the stream is a file or a pipe. */
  readonly stdout: Terminal | undefined;
  readonly stderr: Terminal | undefined;
  readonly environment: NodeJS.ProcessEnv;
  readonly version: string;
  readonly passwords: PasswordSource;
  /** Writes results to standard output; resolves when they are written, and rejects with the error of the stream. */
  out(text: string): Promise<void>;
  err(text: string): void;
  /** Sets the exit code of a command that succeeded only partly. */
  setExitCode(code: number): void;
}

/**
 * Prints a result: one JSON document with `--json`, otherwise the output of `format`. Control characters are escaped in
 * both.
 *
 * @param recoveryAdvice for results that are shown only once: returns what was created and how to replace it, without
 *   secrets. If set, a closed pipe is an error too.
 * @throws an error with this advice when the result cannot be written.
 */
export async function printResult<Result>(
  cli: Cli,
  result: Result,
  format: (result: Result) => string,
  recoveryAdvice?: (result: Result) => string,
): Promise<void> {
  const escapeText = cli.stdout ? printableStyles : printableLines;
  const text = cli.json ? `${printable(JSON.stringify(result))}\n` : escapeText(format(result));
  await print(cli, text, recoveryAdvice?.(result));
}

/** Prints text unchanged: untrusted content must be escaped already. For errors, see {@link printResult}. */
export async function print(cli: Cli, text: string, recoveryAdvice?: string): Promise<void> {
  try {
    await cli.out(text);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    // Without advice, it is not an error if the reader has closed the pipe, as in `key list | head`.
    if (code === 'EPIPE' && recoveryAdvice === undefined) return;
    const advice = recoveryAdvice === undefined ? '' : `; ${recoveryAdvice}`;
    throw new Error(`the result could not be written (${message})${advice}`, { cause: error });
  }
}

/** The operator who runs the command, as recorded in the audit and key histories. */
export function actor(): string {
  try {
    return `cli:${userInfo().username}`;
  } catch {
    // The user id has no name, as in some containers.
    return 'cli';
  }
}
