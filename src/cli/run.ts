import { Command, CommanderError } from 'commander';
import { ServiceError } from '../domain/core/errors.ts';
import { styled } from '../processes/terminal.ts';
import { type Cli, print } from './cli.ts';
import { addAdminCommands } from './commands/admin.ts';
import { addAuditCommand } from './commands/audit.ts';
import { addBackupCommand, addMoveCommand, addRestoreCommand } from './commands/backup.ts';
import { addDemoCommand } from './commands/demo.ts';
import { addExplainCommand } from './commands/explain.ts';
import { addExportCommand } from './commands/export.ts';
import { addImportCommand } from './commands/import.ts';
import { addImportRunsCommand } from './commands/import-runs.ts';
import { addKeyCommands } from './commands/key.ts';
import { addMigrateCommand } from './commands/migrate.ts';
import { addOperatorCommands } from './commands/operator.ts';
import { addOrganizationCommands } from './commands/organization.ts';
import { addWebhookCommands } from './commands/webhook.ts';
import { assertRequiredOptions, rejectRepeatedOptions } from './options.ts';
import { printableLines } from './output/output.ts';
import { reportError, styleError } from './report-error.ts';

const FAILED = 1;
const INVALID_USAGE = 2;

/**
 * Runs a command.
 *
 * @returns the exit code: 0, 1 for a failure, 2 for invalid usage, or the code that the command set.
 */
export async function run(args: readonly string[], environment: Omit<Cli, 'json' | 'setExitCode'>): Promise<number> {
  let code = 0;
  const setExitCode = (exitCode: number) => {
    code = exitCode;
  };
  const cli: Cli = { ...environment, json: hasJsonOption(args), setExitCode };
  let command: Command | undefined;
  let help = '';
  try {
    const program = createProgram(cli, (text) => {
      help += text;
    });
    program.hook('preAction', (_, started) => {
      command = started;
      assertRequiredOptions(started);
    });
    await program.parseAsync(args, { from: 'user' }).catch(async (error) => {
      if (!(error instanceof CommanderError)) throw error;
      code = handleCommanderError(cli, error, args);
      if (help !== '') await print(cli, help);
    });
    return code;
  } catch (error) {
    return reportError(cli, error, command) ? INVALID_USAGE : FAILED;
  }
}

/** Whether errors are printed as JSON. This must be known before the arguments are parsed. `--` ends the options. */
function hasJsonOption(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return args.slice(0, end === -1 ? args.length : end).includes('--json');
}

/** @param writeOut receives the help or the version; Commander does not wait until it is written. */
function createProgram(cli: Cli, writeOut: (text: string) => void): Command {
  const version = cli.json ? JSON.stringify({ version: cli.version }) : cli.version;
  const program = new Command('./cms')
    .description('The command line of the Community Membership Service, for its operators.')
    .version(version, '--version', 'show the version')
    .option('--json', 'print results and errors as JSON')
    .helpOption('-h, --help', 'show this help')
    .helpCommand('help [command]', 'show the help of a command')
    .exitOverride()
    .configureHelp({ showGlobalOptions: true, styleTitle: (title) => styled(cli.stdout, 'bold', title) })
    .configureOutput({
      writeOut,
      getOutHelpWidth: () => cli.stdout?.width() ?? 80,
      getOutHasColors: () => cli.stdout !== undefined,
      getErrHasColors: () => cli.stderr !== undefined,
      writeErr: cli.json ? () => {} : cli.err,
      outputError: (text, write) => write(styleError(cli, printableLines(text))),
    })
    .showHelpAfterError('Run with --help for usage.')
    .addHelpText('after', programHelp());
  addOrganizationCommands(program, cli);
  addKeyCommands(program, cli);
  addWebhookCommands(program, cli);
  addAdminCommands(program, cli);
  addOperatorCommands(program, cli);
  addAuditCommand(program, cli);
  addDemoCommand(program, cli);
  addMigrateCommand(program, cli);
  addBackupCommand(program, cli);
  addRestoreCommand(program, cli);
  addMoveCommand(program, cli);
  addImportCommand(program, cli);
  addImportRunsCommand(program, cli);
  addExportCommand(program, cli);
  addExplainCommand(program, cli);
  rejectRepeatedOptions(program);
  return program;
}

function programHelp(): string {
  return `
Environment variables, the same as for the service:
  DATABASE_URL  a PostgreSQL server; if unset, the embedded database is used
  DATA_DIR      the directory of the embedded database (default .data); the service may be running
  LOG_LEVEL     debug prints stack traces of errors

Exit codes: 0 success, 1 failure, 2 invalid usage, 3 an import rejected rows, 130 interrupted.

Example:
  $ ./cms organization create --name 'Grace Community' --country US`;
}

/** Handles an error of Commander, which prints its own messages, but not as JSON. */
function handleCommanderError(cli: Cli, { code, exitCode, message }: CommanderError, args: readonly string[]): number {
  if (exitCode === 0) return 0;
  if (code === 'commander.help') {
    const reason = args.includes('help') ? 'there is no such command' : 'a command is required';
    reportError(cli, new ServiceError('invalid_request', `${reason}; --help lists them`));
  } else if (cli.json) {
    reportError(cli, new ServiceError('invalid_request', message.replace(/^error: /, '').replaceAll('\n', ' ')));
  }
  return INVALID_USAGE;
}
