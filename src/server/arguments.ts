import { Command } from 'commander';

/**
 * Handles the arguments of the service's process. There are none, because settings are environment variables: `--help`
 * prints where they are described, and anything else ends the process with exit code 2 before the service starts.
 *
 * @param args the arguments after the name of the script.
 */
export function parseArguments(args: readonly string[]): void {
  new Command('npm start')
    .usage('')
    .description(
      'Starts the service. Settings are environment variables, such as PORT=8080; docs/operations.md lists them all.\n' +
        'For the command line, run: npm run -s cli -- --help',
    )
    .showHelpAfterError()
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
    .parse(args, { from: 'user' });
}
