import type { Command, Option } from 'commander';

const repeatableOptions = new WeakSet<Option>();

/** Marks an option that may be given several times. */
export function repeatable(option: Option): Option {
  repeatableOptions.add(option);
  return option;
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
