import { Command } from 'commander';
import { describeSettings } from '../settings.ts';

/**
 * Handles the arguments of the service's process. There are none, because settings are environment variables: `--help`
 * lists these, and anything else ends the process with exit code 2 before the service starts.
 *
 * @param args the arguments after the name of the script.
 */
export function parseArguments(args: readonly string[]): void {
  new Command('npm start')
    .usage('')
    .description(
      'Starts the service. Settings are environment variables, such as PORT=8080.\n' +
        'For the command line, run: ./cms --help',
    )
    .addHelpText('after', `\nSettings:\n${settingsText()}`)
    .showHelpAfterError('Run npm start -- --help for all settings, which are environment variables, such as PORT=8080.')
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
    .parse(args, { from: 'user' });
}

/** The settings as plain text, without the Markdown of their descriptions. */
function settingsText(): string {
  const toText = (markdown: string) => markdown.replaceAll(/\[([^\]]+)\]\([^)]*\)|`/g, '$1');
  return describeSettings()
    .map(({ name, default: value, description }) => {
      return `  ${name}${value === undefined ? '' : ` (default: ${value})`}\n    ${toText(description)}`;
    })
    .join('\n');
}
