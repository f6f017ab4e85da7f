import { type Command, InvalidArgumentError } from 'commander';
import { move, requireEmpty } from '../../backup/move.ts';
import { ServiceError } from '../../domain/core/errors.ts';
import { parseServerUrl } from '../../store/connections/server-url.ts';
import { SchemaMismatchError } from '../../store/migrations/schema-version.ts';
import { openStore } from '../../store/store.ts';
import type { Cli } from '../cli.ts';
import { answerCopied, showProgress } from '../copy-output.ts';
import { unavailable } from '../errors.ts';
import { explainServer, withStore } from '../with-store.ts';

/** Adds `move`. */
export function addMoveCommand(program: Command, cli: Cli): void {
  program
    .command('move')
    .description('copy all records into an empty database of a PostgreSQL server; the source stays as it is')
    .requiredOption('--to <url>', 'the database, as postgresql://user@host/name (PGPASSWORD is used)', serverUrl)
    .addHelpText(
      'after',
      '\nStop the service first: what it writes meanwhile would not be moved.\n' +
        '\nExample:\n  $ cms move --to postgresql://cms@db.example.org/cms',
    )
    .action(({ to }: { to: string }) =>
      withStore(cli.environment, async (source, { dataDirectory }) => {
        if (source.shared) {
          const message = `the service is running on ${dataDirectory}; stop it first, what it writes meanwhile would be left behind`;
          throw new ServiceError('unavailable', message);
        }
        const target = await openTarget(to, dataDirectory);
        const { onProgress, end } = showProgress(cli);
        try {
          const contents = await move(source.pool, target.pool, onProgress).finally(end);
          const { name } = parseServerUrl(to);
          const done = `Source and target are equal. Start the service with DATABASE_URL on ${name} now.`;
          await answerCopied(cli, contents, undefined, done);
        } finally {
          await target.close();
        }
      }),
    );
}

async function openTarget(to: string, dataDirectory: string) {
  try {
    await requireEmpty(to);
    return await openStore({ databaseUrl: to, dataDirectory, schema: 'create' });
  } catch (error) {
    if (error instanceof SchemaMismatchError) throw unavailable(`--to: ${error.message}`, error);
    throw explainServer(error, to, '--to');
  }
}

function serverUrl(written: string): string {
  try {
    parseServerUrl(written);
    return written;
  } catch (error) {
    throw new InvalidArgumentError(`It ${(error as Error).message}.`);
  }
}
