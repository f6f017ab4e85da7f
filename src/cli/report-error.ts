import type { Command, Option } from 'commander';
import { CopyError } from '../backup/dump.ts';
import { type FieldError, notFound, ServiceError } from '../domain/core/errors.ts';
import { InvalidFileError } from '../import-export/files/file.ts';
import { styled } from '../processes/terminal.ts';
import { InvalidSettingsError } from '../settings.ts';
import { causeOf, isStoreUnavailable } from '../store/errors.ts';
import type { Cli } from './cli.ts';
import { printable, printableLines } from './output/output.ts';

/** The advice for a command that was interrupted. */
export const CHECK_ADVICE = 'check whether the command took effect before you run it again';

/** The commands that show the ids of records, by the message of the error for an unknown id. */
const LISTING_COMMANDS: Readonly<Record<string, string>> = {
  [notFound('Organization').message]: './cms organization list',
  [notFound('API key').message]: './cms key list --organization ORGANIZATION_ID',
  [notFound('Administrator').message]: './cms admin list',
};

interface Problem {
  readonly code: string;
  readonly message: string;
  readonly details?: readonly FieldError[];
}

/**
 * Prints an error to standard error: `{ error }` with `--json`, otherwise one line per problem.
 *
 * @param command the command that failed, whose options replace the names of input fields.
 * @returns whether the cause is the invalid value of an option or argument.
 */
export function reportError(cli: Cli, error: unknown, command?: Command): boolean {
  const problem = explain(error, command?.options ?? []);
  const isUsage = !(error instanceof InvalidFileError) && isInvalidUsage(problem, command);
  if (cli.json) {
    cli.err(`${printable(JSON.stringify({ error: problem }))}\n`);
    return isUsage;
  }
  const lines = problem.details?.map(({ field, message }) => `${field}: ${message}`) ?? [problem.message];
  cli.err(lines.map((line) => styleError(cli, `error: ${printable(line)}\n`)).join(''));
  if (cli.environment.LOG_LEVEL === 'debug' && error instanceof Error) cli.err(printableLines(`${stackOf(error)}\n`));
  return isUsage;
}

/** Returns a message for standard error; in a terminal, its `error:` is red. */
export function styleError({ stderr }: Pick<Cli, 'stderr'>, message: string): string {
  return message.replace(/^error:/, (prefix) => styled(stderr, 'red', prefix));
}

function isInvalidUsage({ details = [] }: Problem, command?: Command): boolean {
  const names = command?.registeredArguments.map((argument) => argument.name()) ?? [];
  return details.length > 0 && details.every(({ field }) => field.startsWith('--') || names.includes(field));
}

/** An `unavailable` error with its cause, which is printed with LOG_LEVEL=debug. */
export function unavailable(message: string, cause: unknown): ServiceError {
  return Object.assign(new ServiceError('unavailable', message), { cause });
}

function explain(error: unknown, options: readonly Option[]): Problem {
  if (error instanceof ServiceError) {
    if (!error.details) return { code: error.code, message: withListingCommand(error.message) };
    // The field is the name of a file, which can be equal to that of an input field.
    return invalid(
      error instanceof InvalidFileError ? error.details : error.details.map((detail) => withOption(detail, options)),
    );
  }
  if (error instanceof InvalidSettingsError) return invalid(error.message.split('\n').map(settingError));
  if (error instanceof CopyError) return { code: 'invalid_request', message: error.message };
  if ((error as NodeJS.ErrnoException).syscall === 'uv_cwd') {
    return { code: 'invalid_request', message: 'the current folder no longer exists; change to another one' };
  }
  if (isStoreUnavailable(error)) {
    return { code: 'unavailable', message: `the database stopped responding (${causeOf(error)}); ${CHECK_ADVICE}` };
  }
  return { code: 'internal_error', message: causeOf(error) };
}

function withListingCommand(message: string): string {
  const command = LISTING_COMMANDS[message];
  return command ? `${message}; "${command}" shows the ids` : message;
}

function invalid(details: readonly FieldError[]): Problem {
  const message = details.map(({ field, message }) => `${field}: ${message}`).join('; ');
  return { code: 'invalid_request', message, details };
}

/**
 * Converts the name of a field, or of an item of a list such as `scopes.0`, to that of its option. The name of an option
 * has the first words of its field: `--organization` sets `organization_id`, and `--expires` sets `expires_in_days`.
 */
function withOption({ field, message }: FieldError, options: readonly Option[]): FieldError {
  const words = `${field.replace(/\.\d+$/, '').replaceAll('_', '-')}-`;
  const option = options.find(({ long }) => long && words.startsWith(`${long.slice(2)}-`));
  return { field: option?.long ?? field, message };
}

/** Converts a line of {@link InvalidSettingsError}, which starts with the name of the variable. */
function settingError(line: string): FieldError {
  const [field = ''] = line.split(' ', 1);
  return { field, message: line.slice(field.length + 1) };
}

function stackOf(error: Error): string {
  const { stack = error.message, cause } = error;
  return cause instanceof Error ? `${stack}\ncaused by: ${stackOf(cause)}` : stack;
}
