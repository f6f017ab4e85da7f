import { resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { backUp, readBackupHeader, restore } from '../../backup/backup.ts';
import { assertMovable, move } from '../../backup/move.ts';
import { ServiceError } from '../../domain/core/errors.ts';
import { parseServerUrl } from '../../store/connections/server-url.ts';
import { SchemaMismatchError } from '../../store/migrations/schema-version.ts';
import { openStore } from '../../store/store.ts';
import type { Cli } from '../cli.ts';
import { required } from '../options.ts';
import { printCopied, showProgress } from '../output/copy-output.ts';
import { unavailable } from '../report-error.ts';
import { explainServerError, withStore } from '../with-store.ts';

/** Adds `backup`. */
export function addBackupCommand(program: Command, cli: Cli): void {
  program
    .command('backup')
    .description('back up a snapshot of all records to a file; the service may be running')
    .argument('<file>', 'the file to write; an existing file is replaced once the new one is complete')
    .option('--organization <id>', 'back up only this organization, with its keys, administrators, persons and audit')
    .addHelpText('after', '\nExample:\n  $ ./cms backup /var/backups/cms.gz')
    .action((file: string, { organization }: { organization?: string }) =>
      withStore(
        cli,
        async ({ pool }) => {
          const { onProgress, end } = showProgress(cli);
          const { contents, bytes } = await backUp(pool, resolve(file), onProgress, organization).finally(end);
          const what = organization === undefined ? 'All records' : `All records of ${organization}`;
          await printCopied(cli, contents, bytes, `${what} are in ${file}. Keep it as safe as the database.`);
        },
        { anyEncoding: true },
      ),
    );
}

/** Adds `restore`. */
export function addRestoreCommand(program: Command, cli: Cli): void {
  program
    .command('restore')
    .description(
      'load a backup of this or an older version into an empty database, or that of one organization beside others; ' +
        'if it fails, nothing is loaded',
    )
    .argument('<file>', 'the backup file')
    .addHelpText('after', '\nExample:\n  $ DATA_DIR=/srv/cms-data ./cms restore /var/backups/cms.gz')
    .action(async (file: string) => {
      const path = resolve(file);
      // The records are loaded into the schema that they were saved from.
      const { migrations, organizationId } = await readBackupHeader(path);
      await withStore(
        cli,
        async ({ pool }) => {
          const { end, ...progress } = showProgress(cli);
          const { contents, bytes } = await restore(pool, path, { ...progress, organizationId }).finally(end);
          const closingLine = organizationId
            ? `The organization ${organizationId} equals the backup, and its keys work.`
            : 'The database equals the backup. You can start the service now.';
          await printCopied(cli, contents, bytes, closingLine);
        },
        { migrations },
      );
    });
}

/** Adds `move`. */
export function addMoveCommand(program: Command, cli: Cli): void {
  program
    .command('move')
    .description('copy all records to an empty database of a PostgreSQL server; the source remains unchanged')
    .addOption(
      required(
        '--to <url>',
        'the target, as postgresql://user@host/database; a password can be set with PGPASSWORD',
      ).argParser(parseUrlOption),
    )
    .addHelpText(
      'after',
      '\nStop the service first: writes during the move would be lost.\n' +
        '\nExample:\n  $ ./cms move --to postgresql://cms@db.example.org/cms',
    )
    .action(({ to }: { to: string }) =>
      withStore(
        cli,
        async (source, { dataDirectory }) => {
          if (source.isOwnedElsewhere) {
            const message = `the service is running on ${dataDirectory}; stop it first, because writes during the move would be lost`;
            throw new ServiceError('unavailable', message);
          }
          const target = await openTarget(to, dataDirectory);
          const { onProgress, end } = showProgress(cli);
          try {
            const contents = await move(source.pool, target.pool, onProgress).finally(end);
            const { name } = parseServerUrl(to);
            const closingLine = `All records are in ${name}. Start the service with DATABASE_URL set to the URL of --to.`;
            await printCopied(cli, contents, undefined, closingLine);
          } finally {
            await target.close();
          }
        },
        { anyEncoding: true, onNewerSchema: undefined },
      ),
    );
}

async function openTarget(to: string, dataDirectory: string) {
  try {
    await assertMovable(to);
    return await openStore({ databaseUrl: to, dataDirectory, schema: 'create' });
  } catch (error) {
    if (error instanceof SchemaMismatchError) {
      // The message advises running "… migrate", which would migrate the source database, so name the target.
      const advice = ['newer', 'foreign'].includes(error.reason)
        ? ''
        : ' with DATABASE_URL set to the URL of the target';
      throw unavailable(`--to: ${error.message}${advice}`, error);
    }
    throw explainServerError(error, to, '--to');
  }
}

function parseUrlOption(text: string): string {
  try {
    parseServerUrl(text);
    return text;
  } catch (error) {
    throw new InvalidArgumentError(`It ${(error as Error).message}.`);
  }
}
