import { printable, printableLines } from './output.ts';
import type { PasswordSource } from './password.ts';

/** The environment and output of commands. */
export interface Cli {
  /** Whether `--json` is set. */
  readonly json: boolean;
  /** Whether standard error is a terminal, where lines can be overwritten. */
  readonly terminal: boolean;
  readonly environment: NodeJS.ProcessEnv;
  readonly version: string;
  readonly passwords: PasswordSource;
  /** Writes results to standard output; resolves when they are written. */
  out(text: string): Promise<void>;
  /** Writes to standard error. */
  err(text: string): void;
  /** Sets the exit code of a command that succeeded only partly. */
  setExitCode(code: number): void;
}

/**
 * Prints a result: one JSON document with `--json`, otherwise the output of `format`. Control characters are escaped in
 * both.
 */
export async function printResult<Result>(cli: Cli, result: Result, format: (result: Result) => string): Promise<void> {
  await cli.out(cli.json ? `${printable(JSON.stringify(result))}\n` : printableLines(format(result)));
}
