import { type Command, Option } from 'commander';
import { invalidRequest } from '../domain/core/errors.ts';

const requiredOptions = new WeakMap<Option, string>();
const repeatableOptions = new WeakSet<Option>();

/** An option that must be given, see {@link assertRequiredOptions}. */
export function required(flags: string, description: string): Option {
  const option = new Option(flags, `${description} (required)`);
  requiredOptions.set(option, description);
  return option;
}

/** Marks an option that may be given several times. */
export function repeatable(option: Option): Option {
  repeatableOptions.add(option);
  return option;
}

/**
 * Unlike Commander, which names only the first missing option, names all of them.
 *
 * @throws {ServiceError} `invalid_request`.
 */
export function assertRequiredOptions(command: Command): void {
  const missing = command.options.filter(
    (option) => requiredOptions.has(option) && command.getOptionValue(option.attributeName()) === undefined,
  );
  if (missing.length === 0) return;
  throw invalidRequest(
    ...missing.map((option) => ({ field: option.long ?? '', message: `required (${requiredOptions.get(option)})` })),
  );
}

/**
 * Makes a command and its subcommands refuse options that are given twice: Commander would use the last value without a
 * message, so that, for example, a file could be imported into the wrong organization.
 */
export function rejectRepeatedOptions(command: Command): void {
  for (const option of command.options) {
    const hasValue = option.required || option.optional;
    if (!hasValue || repeatableOptions.has(option)) continue;
    let isGiven = false;
    command.on(`option:${option.name()}`, () => {
      if (isGiven) command.error(`error: option '${option.flags}' is given more than once`);
      isGiven = true;
    });
  }
  for (const subcommand of command.commands) rejectRepeatedOptions(subcommand);
}

/** Parses an integer option; NaN for anything else, which validation then rejects with the allowed range. */
export function parseInteger(text: string): number {
  return /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
}
