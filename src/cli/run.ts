import { Command, CommanderError } from 'commander';
import { ServiceError } from '../domain/core/errors.ts';
import type { Cli } from './cli.ts';
import { addAdminCommands } from './commands/admin.ts';
import { addAuditCommand } from './commands/audit.ts';
import { addBackupCommand } from './commands/backup.ts';
import { addDemoCommand } from './commands/demo.ts';
import { addExportCommand } from './commands/export.ts';
import { addImportCommand } from './commands/import.ts';
import { addInstancesCommand } from './commands/instances.ts';
import { addKeyCommands } from './commands/key.ts';
import { addMigrateCommand } from './commands/migrate.ts';
import { addMoveCommand } from './commands/move.ts';
import { addOrganizationCommands } from './commands/organization.ts';
import { addRestoreCommand } from './commands/restore.ts';
import { reportError } from './errors.ts';
import { printableLines } from './output.ts';

const REFUSED = 1;
const MISUSED = 2;

/**
 * Runs the command that the arguments name.
 *
 * @returns the exit code: 0, 1 when it failed, 2 for a wrong usage, or the one that the command ended with.
 */
export async function run(args: readonly string[], world: Omit<Cli, 'json' | 'endWith'>): Promise<number> {
  let code = 0;
  const endWith = (other: number) => {
    code = other;
  };
  const cli: Cli = { ...world, json: asksForJson(args), endWith };
  try {
    await createProgram(cli).parseAsync(args, { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return endParsing(cli, error);
    reportError(cli, error);
    return REFUSED;
  }
}

/** The form of errors is needed before the arguments are understood; as in them, `--` ends the options. */
function asksForJson(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return args.slice(0, end === -1 ? args.length : end).includes('--json');
}

function createProgram(cli: Cli): Command {
  const version = cli.json ? JSON.stringify({ version: cli.version }) : cli.version;
  const program = new Command('cms')
    .description('The command line of the Community Membership Service, for its operators.')
    .version(version, '--version', 'show the version')
    .option('--json', 'answer in JSON, on standard output; errors too, on standard error')
    .helpOption('-h, --help', 'show this help')
    .helpCommand('help [command]', 'show the help of a command')
    .exitOverride()
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => void cli.out(text).catch(() => {}),
      writeErr: cli.json ? () => {} : (text) => cli.err(printableLines(text)),
    })
    .showHelpAfterError('Add --help to see how it is used.')
    .addHelpText('after', programHelp());
  addOrganizationCommands(program, cli);
  addKeyCommands(program, cli);
  addAdminCommands(program, cli);
  addAuditCommand(program, cli);
  addDemoCommand(program, cli);
  addMigrateCommand(program, cli);
  addBackupCommand(program, cli);
  addRestoreCommand(program, cli);
  addMoveCommand(program, cli);
  addImportCommand(program, cli);
  addExportCommand(program, cli);
  addInstancesCommand(program, cli);
  return program;
}

function programHelp(): string {
  return `
The records are where the environment says, as for the service itself:
  DATABASE_URL  a PostgreSQL server; without it, the embedded database is used
  DATA_DIR      the folder of the embedded database (.data); the service may be running on it
  LOG_LEVEL     debug shows where an error came from

Exit codes: 0 done, 1 refused or failed, 2 wrong usage, 3 an import rejected rows, 130 it was stopped.

Example:
  $ cms organization create --name 'Grace Community' --country US`;
}

/** Commander shows what it has to say by itself, but not as JSON. */
function endParsing(cli: Cli, { code, exitCode, message }: CommanderError): number {
  if (exitCode === 0) return 0;
  if (code === 'commander.help') {
    reportError(cli, new ServiceError('invalid_request', 'name one of the commands that --help lists'));
  } else if (cli.json) {
    reportError(cli, new ServiceError('invalid_request', message.replace(/^error: /, '').replaceAll('\n', ' ')));
  }
  return MISUSED;
}
