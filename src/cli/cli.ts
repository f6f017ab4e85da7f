import { printable, printableLines } from './output.ts';
import type { PasswordSource } from './password.ts';

/** The environment and output of commands. */
export interface Cli {
  /** Whether `--json` is set. */
  readonly json: boolean;
  /** Whether standard error is a terminal, where lines can be overwritten. */
  readonly terminal: boolean;
  /** The current width of this terminal, if it is known. */
  columns?(): number | undefined;
  readonly environment: NodeJS.ProcessEnv;
  readonly version: string;
  readonly passwords: PasswordSource;
  /** Writes results to standard output; resolves when they are written, and rejects with the error of the stream. */
  out(text: string): Promise<void>;
  /** Writes to standard error. */
  err(text: string): void;
  /** Sets the exit code of a command that succeeded only partly. */
  setExitCode(code: number): void;
}

/**
 * Prints a result: one JSON document with `--json`, otherwise the output of `format`. Control characters are escaped in
 * both.
 *
 * @param adviceIfLost for a result that is shown only once: what exists, and how to replace it, without secrets. A closed
 *   pipe is then an error too.
 * @throws an error with this advice when the result cannot be written.
 */
export async function printResult<Result>(
  cli: Cli,
  result: Result,
  format: (result: Result) => string,
  adviceIfLost?: (result: Result) => string,
): Promise<void> {
  const text = cli.json ? `${printable(JSON.stringify(result))}\n` : printableLines(format(result));
  await print(cli, text, adviceIfLost?.(result));
}

/** Prints text that contains no untrusted content, see {@link printResult}. */
export async function print(cli: Cli, text: string, adviceIfLost?: string): Promise<void> {
  try {
    await cli.out(text);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    // Without advice, it is not an error if the reader has closed the pipe, as in `cms key list | head`.
    if (code === 'EPIPE' && adviceIfLost === undefined) return;
    const advice = adviceIfLost === undefined ? '' : `; ${adviceIfLost}`;
    throw new Error(`the result could not be written (${message})${advice}`, { cause: error });
  }
}
