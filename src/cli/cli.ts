import { printable, printableLines } from './output.ts';
import type { PasswordSource } from './password.ts';

/** What every command is given: how to answer, and the environment it runs in. */
export interface Cli {
  /** Whether `--json` was asked for. */
  readonly json: boolean;
  /** Whether standard error is a terminal, where a line can change. */
  readonly terminal: boolean;
  readonly environment: NodeJS.ProcessEnv;
  readonly version: string;
  readonly passwords: PasswordSource;
  /** Writes to standard output: results, and nothing else. Resolves when it is written. */
  out(text: string): Promise<void>;
  /** Writes to standard error. */
  err(text: string): void;
  /** Sets the exit code of a command that did its work, but not all that was asked for. */
  endWith(code: number): void;
}

/**
 * Answers with one result: one JSON document with `--json`, else the text that `human` makes of it. Neither has a
 * character that a terminal obeys, whatever is in the result.
 */
export async function answer<Result>(cli: Cli, result: Result, human: (result: Result) => string): Promise<void> {
  await cli.out(cli.json ? `${printable(JSON.stringify(result))}\n` : printableLines(human(result)));
}
