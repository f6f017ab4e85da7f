import { type Command, InvalidArgumentError } from 'commander';
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
